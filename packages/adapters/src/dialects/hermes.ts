/** `<tool_call>{"name": …, "arguments": {…}}</tool_call>`, as Hermes, Qwen 2.5 and Qwen 3 write it. */
import type { ToolSpec } from '@x/tool-core'
import type { LMDelta } from '../protocol.ts'
import type { Dialect, TextParser } from './dialect.ts'
import { isSpace, type JsonPart, JsonScanner, partsOf, readString } from './json-scanner.ts'

const OPEN = '<tool_call>'
const CLOSE = '</tool_call>'

export const hermes: Dialect = {
  name: 'hermes',
  formatTools: (tools) =>
    [
      'You may call tools. Their signatures are within <tools></tools> tags:',
      listTools(tools),
      `For each call write a JSON object within ${OPEN}${CLOSE} tags, and nothing after the last call:`,
      `${OPEN}\n{"name": <name of the tool>, "arguments": <its arguments as an object>}\n${CLOSE}`,
    ].join('\n'),
  formatMoreTools: (tools) => `You may call these tools as well:\n${listTools(tools)}`,
  formatCall: ({ name, arguments: text }) =>
    `${OPEN}\n{"name": ${JSON.stringify(name)}, "arguments": ${text.trim() || '{}'}}\n${CLOSE}`,
  formatResult: ({ text }) => `<tool_response>\n${escapeMarkers(text)}\n</tool_response>`,
  parser: () => new HermesParser(),
}

function listTools(tools: readonly ToolSpec[]): string {
  return ['<tools>', ...tools.map((tool) => JSON.stringify(tool)), '</tools>'].join('\n')
}

/** A result can hold anything; what looks like a marker in it must not read as one. */
function escapeMarkers(text: string): string {
  return text.replace(/<(?=\/?tool_(?:call|response)>)/g, '&lt;')
}

/**
 * Text until an open marker, then a JSON value, then what is left of the block. A block that does not hold calls is given
 * back as text, so nothing that a model wrote is lost.
 */
class HermesParser implements TextParser {
  #state: State = 'text'
  /** What may still become a marker. */
  #held = ''
  #payload: string[] = []
  #scanner = new JsonScanner()
  #calls = 0

  push(text: string): readonly LMDelta[] {
    const deltas: LMDelta[] = []
    let plain = ''
    const flush = () => {
      if (plain !== '') deltas.push({ type: 'text', text: plain })
      plain = ''
    }
    for (const character of splitUnits(text)) {
      if (this.#state === 'text') {
        plain += this.#readText(character)
        if (this.#state !== 'text') flush()
      } else {
        // Not `push(...)`: a list may hold more calls than a function takes arguments.
        for (const delta of this.#state === 'payload' ? this.#readPayload(character) : this.#readAfter(character))
          deltas.push(delta)
      }
    }
    flush()
    return deltas
  }

  end(): readonly LMDelta[] {
    const state = this.#state
    const rest = state === 'payload' ? OPEN + this.#payload.join('') : state === 'text' ? this.#held : ''
    this.#reset('text')
    return state === 'payload' ? unread(rest) : rest === '' ? [] : [{ type: 'text', text: rest }]
  }

  /** Gives back the characters that can no longer belong to an open marker. */
  #readText(character: string): string {
    this.#held += character
    if (this.#held === OPEN) {
      this.#reset('payload')
      return ''
    }
    return this.#release(OPEN)
  }

  #readPayload(character: string): LMDelta[] {
    const outcome = this.#scanner.push(character)
    if (outcome === 'broken') return this.#giveUp(character)
    this.#payload.push(character)
    if (outcome === 'open') return []
    const payload = this.#payload.join('')
    const calls = readCalls(payload.trim())
    this.#reset(calls.length === 0 ? 'text' : 'after')
    if (calls.length === 0) return unread(OPEN + payload)
    return calls.flatMap((call) => this.#toDeltas(call))
  }

  /** After the payload: white space, surplus brackets and the close marker are skipped; anything else is text again. */
  #readAfter(character: string): LMDelta[] {
    if (this.#held === '' && (isSpace(character) || character === '}')) return []
    this.#held += character
    if (this.#held === CLOSE) {
      this.#reset('text')
      return []
    }
    if (CLOSE.startsWith(this.#held)) return []
    const held = this.#held
    this.#reset('text')
    return [...this.push(held)]
  }

  /** The block was no JSON: its text so far goes out, and reading goes on as text. */
  #giveUp(character: string): LMDelta[] {
    const text = OPEN + this.#payload.join('')
    this.#reset('text')
    return [...unread(text), ...this.push(character)]
  }

  /** Of what is held, everything but the longest end that begins `marker`. */
  #release(marker: string): string {
    let keep = this.#held.length
    while (!marker.startsWith(this.#held.slice(this.#held.length - keep))) keep--
    const out = this.#held.slice(0, this.#held.length - keep)
    this.#held = this.#held.slice(this.#held.length - keep)
    return out
  }

  #toDeltas({ name, text }: Call): LMDelta[] {
    const index = this.#calls++
    return [
      { type: 'call_start', index, id: `call_${index}`, name },
      { type: 'arguments', index, text },
      { type: 'call_end', index },
    ]
  }

  #reset(state: State): void {
    this.#state = state
    this.#held = ''
    this.#payload = []
    this.#scanner = new JsonScanner()
  }
}

type State = 'text' | 'payload' | 'after'

/** A block without a call is text; one that began as JSON was meant as a call, and whoever asked is told. */
function unread(text: string): LMDelta[] {
  const given: LMDelta = { type: 'text', text }
  return /^\s*[{[]/.test(text.slice(OPEN.length, OPEN.length + 100)) ? [given, { type: 'unread_call', text }] : [given]
}

/** Begins as JSON does, or is missing; bare words are not arguments but text. */
const MAY_BE_ARGUMENTS = /^(?:[{["\d-]|(?:null|true|false)?$)/

interface Call {
  readonly name: string
  readonly text: string
}

/** One call, or a list of calls; none when a name is missing. */
function readCalls(payload: string): readonly Call[] {
  if (!payload.startsWith('[')) return readCall(partsOf(payload))
  return partsOf(payload).flatMap(({ text }) => (text.startsWith('{') && text.endsWith('}') ? readCall(partsOf(text)) : []))
}

function readCall(members: readonly JsonPart[]): readonly Call[] {
  const textOf = (key: string) => members.find((member) => member.key === key)?.text
  const name = readString(textOf('name') ?? '')
  const text = textOf('arguments') ?? textOf('parameters') ?? ''
  return name === undefined || !MAY_BE_ARGUMENTS.test(text) ? [] : [{ name, text }]
}

/** UTF-16 units, so that a pair cut in half between two pieces is put together again. */
function splitUnits(text: string): readonly string[] {
  return text.split('')
}
