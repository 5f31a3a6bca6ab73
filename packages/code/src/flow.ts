/** Finds calls that could pass on the results of untrusted tools, and the results from which the arguments of such calls may come. */

import { matchesName } from '@x/tool-core'
import { assertOptions } from './assert-matching.ts'
import type { CallableTools } from './callable.ts'
import { CodeError } from './errors.ts'
import { type FlowLine, flowText } from './prompts.ts'

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
/** Maximum number of arguments that are shown, and of pieces of each. */
const MAX_LINES = 20
const MAX_PIECES = 3
const MAX_PIECE = 200
const MAX_PATH = 100
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
    for (const { text } of textsIn(value)) {
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
    const lines: FlowLine[] = []
    let [left, more] = [MAX_COMPARED, 0]
    for (const { text, place, isName } of textsIn(args)) {
      const pieces = this.#sharedWith(plain(text).slice(0, Math.max(0, left)))
      left -= text.length
      if (pieces.length === 0) continue
      if (lines.length === MAX_LINES) more++
      else {
        const shown = pieces.sort((one, other) => other.length - one.length).slice(0, MAX_PIECES)
        lines.push({ path: pathOf(place), isName, pieces: shown, more: pieces.length - shown.length })
      }
    }
    return flowText(name, [...this.#names], { lines, more, isPartial: this.#left < 0 || left < 0 })
  }

  /** Returns the parts of the text that untrusted results also contain, each as long as possible. */
  #sharedWith(text: string): Piece[] {
    const found: Piece[] = []
    for (let at = 0; at + LEAST <= text.length; at++) {
      const from = this.#pieces.get(text.slice(at, at + LEAST))
      if (from === undefined) continue
      let end = at + LEAST
      while (end < text.length && this.#pieces.has(text.slice(end + 1 - LEAST, end + 1))) end++
      const shown = text.slice(at, Math.min(end, at + MAX_PIECE)).toWellFormed()
      found.push({ text: shown, from, isCut: end - at > MAX_PIECE, length: end - at })
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

type Piece = FlowLine['pieces'][number] & { readonly length: number }

/** A value in the arguments or in a result. Its path is written only if it is shown. */
interface Place {
  readonly value: unknown
  readonly key: string
  readonly depth: number
  /** The list or object that contains the value. Undefined for the whole. */
  readonly parent?: Place | undefined
}

interface PlacedText {
  readonly text: string
  readonly place: Place
  /** True if the text is the name of the property, not its value. */
  readonly isName: boolean
}

/**
 * Returns the strings, numbers and property names in a JSON value, as text. The outer ones come first, and of those the short ones, so that
 * much other text can't push out a short argument such as an address.
 */
function textsIn(value: unknown): readonly PlacedText[] {
  const texts: PlacedText[] = []
  const places: Place[] = [{ value, key: '', depth: 0 }]
  // The list grows while it is read.
  for (const place of places) {
    const { value, depth } = place
    if (typeof value === 'string' || typeof value === 'number') texts.push({ text: String(value), place, isName: false })
    if (typeof value !== 'object' || value === null) continue
    for (const [key, member] of Object.entries(value)) {
      const inner = { value: member, key, depth: depth + 1, parent: place }
      if (!Array.isArray(value)) texts.push({ text: key, place: inner, isName: true })
      places.push(inner)
    }
  }
  return texts.sort((one, other) => one.place.depth - other.place.depth || one.text.length - other.text.length)
}

/** Returns the path of a value, such as `body.items[0].text`. */
function pathOf(place: Place): string {
  const keys: string[] = []
  for (let at = place; at.parent !== undefined; at = at.parent) {
    const { key, parent } = at
    if (Array.isArray(parent.value)) keys.push(`[${key}]`)
    else keys.push(/^\w+$/.test(key) ? `.${key}` : `[${JSON.stringify(key.slice(0, MAX_PATH))}]`)
  }
  const path = keys.reverse().join('').replace(/^\./, '')
  return path.length > MAX_PATH ? `${path.slice(0, MAX_PATH).toWellFormed()}…` : path
}

/** Normalizes case and white space, so that differences in them don't prevent a match. */
function plain(text: string): string {
  return text.slice(0, MAX_COMPARED).toLowerCase().replace(/\s+/g, ' ')
}
