/** The formats of both validators, loaded at first use. */
import type { Format } from 'ajv'
import { exportsOf } from './patterns/pattern-engines.ts'
import type { StepCounter } from './steps.ts'

export type Formats = Readonly<Record<string, Format>>

/**
 * Loads the formats of `ajv-formats` as data, so that no code is generated. Testing whether a string is a regular expression counts as
 * hundreds of steps.
 */
export async function loadFormats(): Promise<(counter: StepCounter) => Formats> {
  const { fullFormats } = exportsOf(await import('ajv-formats/dist/formats.js'))
  const url = fullFormats.url as RegExp
  const isRegex = fullFormats.regex as (text: string) => boolean
  return (counter) => ({
    ...fullFormats,
    url: (text: string) => text.length <= MAX_URL && url.test(text),
    regex: (text: string) => {
      counter.take(STEPS_OF_A_REGEX + text.length)
      return isRegex(text)
    },
  })
}

/** Maximum length of a value with the format `url`, the only format that takes more than linear time. */
const MAX_URL = 2_048
const STEPS_OF_A_REGEX = 400
