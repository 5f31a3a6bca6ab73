/** The formats of both validators, loaded at first use. */
import type { Format } from 'ajv'
import { exportsOf } from './patterns/pattern-engines.ts'
import type { StepCounter } from './steps.ts'

export type Formats = Readonly<Record<string, Format>>

/**
 * Loads the formats of `ajv-formats` as data, so that no code is generated. Counts the characters that each format reads. Testing whether a
 * string is a regular expression counts as hundreds of steps.
 */
export async function loadFormats(): Promise<(counter: StepCounter) => Formats> {
  const { fullFormats } = exportsOf(await import('ajv-formats/dist/formats.js'))
  return (counter) => {
    const formats: Record<string, Format> = {}
    for (const [name, format] of Object.entries(fullFormats)) formats[name] = counting(name, format, counter)
    return formats
  }
}

function counting(name: string, format: Format, counter: StepCounter): Format {
  const isExpression = format instanceof RegExp
  if (isExpression || typeof format === 'function') {
    const test = (isExpression ? (text: string) => format.test(text) : format) as (text: string) => boolean
    const started = name === 'regex' ? STEPS_OF_A_REGEX : 0
    return (text: string) => {
      counter.take(started + text.length)
      return !(name === 'url' && text.length > MAX_LENGTH) && test(text)
    }
  }
  if (typeof format !== 'object' || !('compare' in format)) return format
  const { validate, compare } = format as DateFormat
  return {
    validate: (text: string) => text.length <= MAX_LENGTH && validate(text),
    compare: (one: string, other: string) => (one.length <= MAX_LENGTH ? compare(one, other) : undefined),
  }
}

interface DateFormat {
  readonly validate: (text: string) => boolean
  readonly compare: (one: string, other: string) => number | undefined
}

/** Maximum length of a URL, a date or a time. Only these formats take more than linear time, or take long for each character. */
const MAX_LENGTH = 2_048
const STEPS_OF_A_REGEX = 400
