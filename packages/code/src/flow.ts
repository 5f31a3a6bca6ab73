/** Finds calls that could pass on the results of untrusted tools, and the results from which the arguments of such calls may come. */

import { matchesName } from '@x/tool-core'
import { assertOptions } from './assert-matching.ts'
import type { CallableTools } from './callable.ts'
import { CodeError } from './errors.ts'
import { flowText, type SharedText } from './prompts.ts'

/**
 * Requires approval for a call to a sink if the program has received a result of an untrusted tool before. Both lists contain tool names
 * and patterns such as `web_*`.
 */
export interface Flow {
  /** Tools whose results may contain text from strangers, such as web pages and emails. */
  readonly untrusted: readonly string[]
  /** Tools that change data or send it to others. */
  readonly sinks: readonly string[]
}

const FLOW_OPTIONS = ['untrusted', 'sinks'] as const satisfies readonly (keyof Flow)[]
/** Minimum length of shared text, in characters. Shorter matches are usually coincidences. */
const LEAST = 8
const MAX_SHOWN = 5
const MAX_PIECE = 200
/** Maximum number of characters of untrusted results, and of the arguments of one call, that are compared. */
const MAX_COMPARED = 200_000

/** The flow of data through one program. */
export class DataFlow {
  readonly #flow: Flow
  readonly #names = new Set<string>()
  /** Each sequence of `LEAST` characters in untrusted results, with the tool that returned it first. */
  readonly #pieces = new Map<string, string>()
  #left = MAX_COMPARED

  constructor(flow: Flow) {
    this.#flow = flow
  }

  /** Records a result or an error of a call. Called before the program receives it. */
  deliver(name: string, value: unknown): void {
    if (!this.#flow.untrusted.some((pattern) => matchesName(pattern, name))) return
    this.#names.add(name)
    for (const text of textsIn(value)) {
      const compared = plain(text).slice(0, Math.max(0, this.#left))
      this.#left -= text.length
      for (let at = 0; at + LEAST <= compared.length; at++) {
        const piece = compared.slice(at, at + LEAST)
        if (!this.#pieces.has(piece)) this.#pieces.set(piece, name)
      }
    }
  }

  /** Returns the text of the approval that the call requires. Undefined if it requires no approval. */
  noteFor(name: string, args: unknown): string | undefined {
    if (this.#names.size === 0 || !this.#flow.sinks.some((pattern) => matchesName(pattern, name))) return undefined
    const shared: SharedText[] = []
    let left = MAX_COMPARED
    for (const text of textsIn(args)) {
      shared.push(...this.#sharedWith(plain(text).slice(0, Math.max(0, left))))
      left -= text.length
    }
    shared.sort((one, other) => other.text.length - one.text.length)
    const isPartial = this.#left < 0 || left < 0
    return flowText(name, [...this.#names], shared.slice(0, MAX_SHOWN), isPartial)
  }

  /** Returns the longest parts of the text that untrusted results also contain. */
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

/** Checks the option. Throws `invalid_option`. A misspelled name would disable the approvals without notice. */
export function assertFlow(flow: Flow | undefined, callable: CallableTools): void {
  if (flow === undefined) return
  assertOptions('codeTool', flow, FLOW_OPTIONS, 'flow.')
  for (const key of FLOW_OPTIONS) {
    if (!Array.isArray(flow[key]) || flow[key].some((pattern: unknown) => typeof pattern !== 'string' || pattern === ''))
      throw new CodeError('invalid_option', `codeTool: flow.${key} must be a list of names and patterns, such as "web_*".`)
    callable.assertKnown(`flow.${key}`, flow[key])
  }
}

/** Returns the strings, numbers and property names in a JSON value, as text. */
function textsIn(value: unknown): readonly string[] {
  const texts: string[] = []
  const open: unknown[] = [value]
  while (open.length > 0) {
    const next = open.pop()
    if (typeof next === 'string') texts.push(next)
    else if (typeof next === 'number') texts.push(String(next))
    else if (Array.isArray(next)) for (const item of next) open.push(item)
    else if (typeof next === 'object' && next !== null) for (const entry of Object.entries(next)) open.push(...entry)
  }
  return texts
}

/** Normalizes case and white space, so that differences in them don't prevent a match. */
function plain(text: string): string {
  return text.slice(0, MAX_COMPARED).toLowerCase().replace(/\s+/g, ' ')
}
