/** Handles results that are too long for one observation. The model sees the first page, and reads the rest with `read_result`. */
import { type Observation, toContent } from '@x/adapters'
import type { Tool } from '@x/tool-core'
import {
  noLongResult,
  pageOf,
  READ_RESULT,
  READ_RESULT_CALL,
  READ_RESULT_DESCRIPTION,
  READ_RESULT_OFFSET,
  resultEnds,
} from '../prompts.ts'
import { define } from '../tools/define.ts'

export interface CutResult {
  readonly observation: Observation
  /** The complete text, if the observation contains only the first page. */
  readonly whole?: string | undefined
}

/** The long results of one run, by call id. */
export class LargeResults {
  #tool: Tool | undefined
  readonly #maxLength: number
  readonly #texts: Map<string, string>
  /** False if the model calls `read_result` through `call_tool`. */
  readonly #isOffered: boolean

  constructor(maxLength: number, isOffered: boolean, kept: Readonly<Record<string, string>> = {}) {
    this.#maxLength = maxLength
    this.#isOffered = isOffered
    this.#texts = new Map(Object.entries(kept))
  }

  /** The tool `read_result`. It is available after a result was too long for one observation. */
  get tool(): Tool {
    this.#tool ??= define({
      name: READ_RESULT,
      description: READ_RESULT_DESCRIPTION,
      args: ARGS,
      effect: 'read',
      execute: (args) => this.#page(args as PageArgs),
    })
    return this.#tool
  }

  get isEmpty(): boolean {
    return this.#texts.size === 0
  }

  /** Truncates the text of a result. Its images and files are kept, after the text. */
  cut(observation: Observation): CutResult {
    const { callId, text, parts } = observation
    if (text.length <= this.#maxLength) return { observation }
    const page = this.#pageOf(text, callId, 0)
    if (parts === undefined) return { observation: { ...observation, text: page }, whole: text }
    const media = parts.filter(({ type }) => type !== 'text')
    const { content, parts: shown } = toContent([{ type: 'text', text: page }, ...media])
    return { observation: { ...observation, text: content, parts: shown }, whole: text }
  }

  has(callId: string): boolean {
    return this.#texts.has(callId)
  }

  keep(callId: string, whole: string): void {
    this.#texts.set(callId, whole)
  }

  /** Returns the texts as plain data, for a paused run. */
  toJSON(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.#texts)
  }

  #page({ call, offset = 0 }: PageArgs): string {
    const text = this.#texts.get(call)
    if (text === undefined) return noLongResult(call, this.#texts.keys())
    if (offset >= text.length) return resultEnds(text.length)
    return this.#pageOf(text, call, offset)
  }

  /** Returns the page at this offset. Never splits a surrogate pair. */
  #pageOf(text: string, callId: string, offset: number): string {
    let end = Math.min(text.length, offset + this.#maxLength)
    if (end < text.length && isHighSurrogate(text.charCodeAt(end - 1)) && end - 1 > offset) end--
    const page = text.slice(offset, end)
    return end === text.length ? page : pageOf(page, callId, { start: offset, end, length: text.length }, this.#isOffered)
  }
}

interface PageArgs {
  readonly call: string
  readonly offset?: number
}

const ARGS = {
  type: 'object',
  properties: {
    call: { type: 'string', description: READ_RESULT_CALL },
    offset: { type: 'integer', minimum: 0, description: READ_RESULT_OFFSET },
  },
  required: ['call'],
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff
}
