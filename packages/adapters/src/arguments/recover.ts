/** Any JSON value out of a text, mended where it has one reading; never guessed, never thrown. */
import { findFault } from '@x/tool-core'
import { type Limits, type RecoverOptions, toLimits } from './limits.ts'
import { type Refused, toRefusal } from './refusal.ts'
import type { ParsedJson, Refusal } from './result.ts'
import { Scanner } from './scanner.ts'

/**
 * Reads a text that should be one JSON value. What `JSON.parse` accepts is taken unchanged and without a tag, but for keys that
 * reach prototypes and what exceeds a limit. Linear in the text.
 */
export function recoverJson(text: string, options: RecoverOptions = {}): ParsedJson {
  return recoverWithin(text, toLimits(options), options.complete)
}

export function recoverWithin(text: string, limits: Limits, complete: boolean | undefined): ParsedJson {
  if (text.length > limits.maxLength) return refuseAt(text, limits, { code: 'too_large', at: limits.maxLength })
  if (complete === false) return toRefusal(text, 'truncated', text.length)
  return parseStrictly(text, limits) ?? scan(text, limits, complete)
}

function parseStrictly(text: string, limits: Limits): ParsedJson | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    // The scanner tells what is wrong, or mends it.
    return undefined
  }
  const fault = findFault(value, limits.maxDepth, limits.maxKeys)
  return fault === undefined ? { ok: true, value, tags: [] } : refuseAt(text, limits, placeOf(text, limits, fault.code))
}

/** JSON.parse does not tell where a key stood; the scanner refuses it there. */
function placeOf(text: string, limits: Limits, code: Refused['code']): Pick<Refused, 'code' | 'at'> {
  const scanner = new Scanner(limits)
  scanner.push(text)
  return scanner.refused?.code === code ? scanner.refused : { code, at: 0 }
}

function scan(text: string, limits: Limits, complete: boolean | undefined): ParsedJson {
  const scanner = new Scanner(limits)
  scanner.push(text)
  const value = scanner.finish(complete)
  if (scanner.refused !== undefined) return refuseAt(text, limits, scanner.refused)
  return { ok: true, value, tags: [...scanner.cursor.tags] }
}

function refuseAt(text: string, limits: Limits, { code, at, detail }: Fault): Refusal {
  const most: Partial<Record<Refused['code'], string>> = {
    too_deep: `at most ${limits.maxDepth} levels`,
    too_large: `at most ${limits.maxLength} characters, and ${limits.maxKeys} keys in one object`,
  }
  return toRefusal(text, code, at, detail ?? most[code])
}

type Fault = Pick<Refused, 'code' | 'at'> & Partial<Pick<Refused, 'detail'>>
