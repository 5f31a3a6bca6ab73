/** Results that are too long for a model to read at once: it sees the beginning, and reads the rest page by page. */
import { defineTool, type Tool } from '@x/tool-core'
import type { TObject } from 'typebox'

export const READ_RESULT = 'read_result'

/** Characters of a result that a model reads at once, unless told: about 8,000 tokens. */
export const MAX_RESULT_LENGTH = 32_000

export interface CutResult {
  /** What the model reads. */
  readonly text: string
  /** All of it, where that is more. */
  readonly whole?: string | undefined
}

/** The long results of one run, by the id of their call. */
export class LargeResults {
  #tool: Tool | undefined
  readonly #maxLength: number
  readonly #texts: Map<string, string>

  constructor(maxLength: number, kept: Readonly<Record<string, string>> = {}) {
    this.#maxLength = maxLength
    this.#texts = new Map(Object.entries(kept))
  }

  /** By which the model reads on; offered once there is something to read. */
  get tool(): Tool {
    this.#tool ??= defineTool({
      name: READ_RESULT,
      description: 'Read on in a result that was too long to show at once.',
      args: ARGS as unknown as TObject,
      effect: 'read',
      execute: (args) => this.#page(args as unknown as PageArgs),
    }) as Tool
    return this.#tool
  }

  get isEmpty(): boolean {
    return this.#texts.size === 0
  }

  cut(callId: string, text: string): CutResult {
    if (text.length <= this.#maxLength) return { text }
    return { text: this.#pageOf(text, callId, 0), whole: text }
  }

  keep(callId: string, whole: string): void {
    this.#texts.set(callId, whole)
  }

  /** As plain data, for a run that pauses. */
  toJSON(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.#texts)
  }

  #page({ call, offset = 0 }: PageArgs): string {
    const text = this.#texts.get(call)
    if (text === undefined) return `There is no long result of a call "${call}". Kept are: ${[...this.#texts.keys()].join(', ')}.`
    if (offset >= text.length) return `The result ends at character ${text.length}.`
    return this.#pageOf(text, call, offset)
  }

  /** A surrogate pair is never cut in half. */
  #pageOf(text: string, callId: string, offset: number): string {
    let end = Math.min(text.length, offset + this.#maxLength)
    if (end < text.length && isHighSurrogate(text.charCodeAt(end - 1)) && end - 1 > offset) end--
    const page = text.slice(offset, end)
    if (end === text.length) return page
    const next = JSON.stringify({ call: callId, offset: end })
    return `${page}\n[characters ${offset} to ${end} of ${text.length}${GO_ON}${next}]`
  }
}

const GO_ON = `; go on with ${READ_RESULT} `

/** A page of an earlier run, whose rest is not kept: its last line says so, and no longer how to read on. Any other text as it is. */
export function withoutReadingOn(page: string): string {
  const line = page.lastIndexOf('\n[characters ')
  const goOn = line === -1 ? -1 : page.indexOf(GO_ON, line)
  return goOn === -1 || !page.endsWith('}]') ? page : `${page.slice(0, goOn)}; the rest was not kept after that run]`
}

interface PageArgs {
  readonly call: string
  readonly offset?: number
}

const ARGS = {
  type: 'object',
  properties: {
    call: { type: 'string', description: 'The call whose result it is, as the result names it.' },
    offset: { type: 'integer', minimum: 0, description: 'The character to begin with.' },
  },
  required: ['call'],
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff
}
