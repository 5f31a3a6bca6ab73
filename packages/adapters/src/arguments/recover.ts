/** Parses text as a JSON value of any type. Repairs it if its meaning is unambiguous. Never guesses, never throws. */
import { findFault } from '@x/tool-core'
import { type Limits, type RecoverOptions, toLimits } from './limits.ts'
import { type Refused, toRefusal } from './refusal.ts'
import type { ParsedJson, Refusal } from './result.ts'
import { CLOSE_BRACE, CLOSE_BRACKET, isSpace, OPEN_BRACE, OPEN_BRACKET, QUOTE } from './scanner/characters.ts'
import { Scanner } from './scanner/scanner.ts'

/**
 * Parses text as one JSON value, in linear time. Valid JSON gives the same value as `JSON.parse`, without tags. Refuses keys that
 * could change a prototype, and text that exceeds a limit.
 */
export function recoverJson(text: string, options: RecoverOptions = {}): ParsedJson {
  return recoverWithin(text, toLimits(options), options.complete)
}

/**
 * Like `recoverJson`. Also calls `onUnsafeNumber` if the value contains numbers beyond the safe integers, possibly several times.
 */
export function recoverWithin(
  text: string,
  limits: Limits,
  complete: boolean | undefined,
  onUnsafeNumber?: () => void,
): ParsedJson {
  if (text.length > limits.maxLength) return refuseAt(text, limits, { code: 'too_large', at: limits.maxLength })
  if (complete === false) return toRefusal(text, 'truncated', text.length)
  return parseStrictly(text, limits, onUnsafeNumber) ?? scan(text, limits, complete, onUnsafeNumber)
}

function parseStrictly(text: string, limits: Limits, onUnsafeNumber: (() => void) | undefined): ParsedJson | undefined {
  if (!mayBeJson(text)) return undefined
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    // The scanner then repairs the text or reports the error.
    return undefined
  }
  const fault = findFault(value, limits.maxDepth, limits.maxKeys, onUnsafeNumber)
  return fault === undefined ? { ok: true, value, tags: [] } : refuseAt(text, limits, placeOf(text, limits, fault.code))
}

/**
 * Returns false if the outer characters show that `JSON.parse` would throw, which takes several times as long. This is so for
 * most truncated text, and for keys that aren't in double quotes.
 */
function mayBeJson(text: string): boolean {
  const last = text.charCodeAt(text.length - 1)
  switch (text.charCodeAt(0)) {
    case OPEN_BRACE:
      return (last === CLOSE_BRACE || isSpace(last)) && mayFollowBrace(text.charCodeAt(1))
    case OPEN_BRACKET:
      return last === CLOSE_BRACKET || isSpace(last)
    case QUOTE:
      return last === QUOTE || isSpace(last)
    default:
      return /^[-\d\stfn]/.test(text)
  }
}

function mayFollowBrace(code: number): boolean {
  return code === QUOTE || code === CLOSE_BRACE || isSpace(code)
}

/** Returns the position of an error. Scans the text again, because `JSON.parse` doesn't report the position. */
function placeOf(text: string, limits: Limits, code: Refused['code']): Pick<Refused, 'code' | 'at'> {
  const scanner = new Scanner(limits)
  scanner.push(text)
  return scanner.refused?.code === code ? scanner.refused : { code, at: 0 }
}

function scan(text: string, limits: Limits, complete: boolean | undefined, onUnsafeNumber: (() => void) | undefined): ParsedJson {
  const scanner = new Scanner(limits)
  const value = scanner.finish(complete, text)
  if (scanner.hasUnsafeNumber) onUnsafeNumber?.()
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
