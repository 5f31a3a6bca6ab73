/** Formats of both validators, loaded at first use. */
import type { Format } from 'ajv'
import type { FormatName } from 'ajv-formats'
import { exportsOf } from './patterns/pattern-engines.ts'

/** Maximum length of a `url`, the only format that takes more than linear time. */
const MAX_URL = 2_048

/** The formats of `ajv-formats` as data: nothing here generates code. */
export async function loadFormats(): Promise<Readonly<Record<FormatName, Format>>> {
  const { fullFormats } = exportsOf(await import('ajv-formats/dist/formats.js'))
  const url = fullFormats.url as RegExp
  return { ...fullFormats, url: (text: string) => text.length <= MAX_URL && url.test(text) }
}
