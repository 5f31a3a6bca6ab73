/** Finds calls that could pass on what an untrusted tool returned, and where their texts come from. */
import { CodeError } from './errors.ts'
import { matches } from './matches.ts'
import { flowText, type SharedText } from './prompts.ts'

/**
 * Requires an approval for a call to a sink if the program has received a result of an untrusted tool before. Names and patterns such as
 * `web_*`.
 */
export interface Flow {
  /** Tools whose results may contain text from strangers. */
  readonly untrusted: readonly string[]
  /** Tools that change something, or send something out. */
  readonly sinks: readonly string[]
}

/** Shorter texts are found by chance. */
const LEAST = 8
const MAX_SHOWN = 5
const MAX_PIECE = 200
/** Maximum number of characters of untrusted results, and of the arguments of one call, that are compared. */
const MAX_COMPARED = 200_000

/** The flow of data through one program. */
export class DataFlow {
  readonly #flow: Flow
  readonly #names = new Set<string>()
  /** For each piece of `LEAST` characters, the tool that returned it first. */
  readonly #pieces = new Map<string, string>()
  #left = MAX_COMPARED

  constructor(flow: Flow) {
    this.#flow = flow
  }

  /** Called before the program receives a result or an error. */
  deliver(name: string, value: unknown): void {
    if (!this.#flow.untrusted.some((pattern) => matches(pattern, name))) return
    this.#names.add(name)
    for (const text of textsIn(value)) {
      const compared = plain(text).slice(0, Math.max(0, this.#left))
      this.#left -= compared.length
      for (let at = 0; at + LEAST <= compared.length; at++) {
        const piece = compared.slice(at, at + LEAST)
        if (!this.#pieces.has(piece)) this.#pieces.set(piece, name)
      }
    }
  }

  /** Returns the text of the approval that the call requires. Undefined if it requires none. */
  noteFor(name: string, args: unknown): string | undefined {
    if (this.#names.size === 0 || !this.#flow.sinks.some((pattern) => matches(pattern, name))) return undefined
    const shared: SharedText[] = []
    let left = MAX_COMPARED
    for (const text of textsIn(args)) {
      shared.push(...this.#sharedWith(plain(text).slice(0, Math.max(0, left))))
      left -= text.length
    }
    shared.sort((one, other) => other.text.length - one.text.length)
    return flowText(name, [...this.#names], shared.slice(0, MAX_SHOWN))
  }

  /** Returns the longest pieces that the untrusted results also contain. */
  #sharedWith(text: string): readonly SharedText[] {
    const found: SharedText[] = []
    for (let at = 0; at + LEAST <= text.length; at++) {
      const from = this.#pieces.get(text.slice(at, at + LEAST))
      if (from === undefined) continue
      let end = at + LEAST
      while (end < text.length && this.#pieces.has(text.slice(end + 1 - LEAST, end + 1))) end++
      found.push({ text: text.slice(at, Math.min(end, at + MAX_PIECE)).toWellFormed(), from })
      at = end - 1
    }
    return found
  }
}

/** Checks the option. Throws `invalid_option`. */
export function assertFlow(flow: Flow | undefined): void {
  if (flow === undefined) return
  for (const key of ['untrusted', 'sinks'] as const)
    if (!Array.isArray(flow[key]) || flow[key].some((pattern: unknown) => typeof pattern !== 'string' || pattern === ''))
      throw new CodeError('invalid_option', `codeTool: flow.${key} must be a list of names and patterns, such as "web_*".`)
}

/** The texts and numbers in a JSON value. */
function textsIn(value: unknown): readonly string[] {
  const texts: string[] = []
  const open: unknown[] = [value]
  while (open.length > 0) {
    const next = open.pop()
    if (typeof next === 'string') texts.push(next)
    else if (typeof next === 'number') texts.push(String(next))
    else if (typeof next === 'object' && next !== null) for (const member of Object.values(next)) open.push(member)
  }
  return texts
}

/** Differences in case and white space don't hide where a text comes from. */
function plain(text: string): string {
  return text.slice(0, MAX_COMPARED).toLowerCase().replace(/\s+/g, ' ')
}
