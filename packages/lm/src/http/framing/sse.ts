/** Reads server-sent events that contain JSON. A final `[DONE]` marks the end. */
import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { LMError } from '../../errors.ts'
import type { Host } from '../host.ts'
import { type FrameReader, MAX_EVENT_LENGTH, parseEvent } from './framing.ts'

/** The parser creates an error with a stack for each unknown line, so a megabyte of them would take seconds. */
const MAX_UNKNOWN_LINES = 1000

/**
 * Creates a reader. If an event's JSON has no `type`, the event's name is added as `_event`. Skips empty events, which only keep
 * the connection alive.
 */
export function createSSEReader(host: Host, maxEventLength: number = MAX_EVENT_LENGTH): FrameReader {
  const waiting: EventSourceMessage[] = []
  const toText = createLineEnds()
  /** The lines since the last event that aren't part of one. A host may send its error in them, as Gemini does. */
  let unknown = ''
  let unknownLines = 0
  let isDone = false
  const parser = createParser({
    onEvent(event) {
      unknown = ''
      unknownLines = 0
      waiting.push(event)
    },
    onError({ type, line }) {
      if (type === 'max-buffer-size-exceeded') throw refused(`an event of more than ${maxEventLength} characters`)
      unknown += `${line}\n`
      if (++unknownLines > MAX_UNKNOWN_LINES || unknown.length > maxEventLength) throw refused('too many unknown lines')
    },
    maxBufferSize: maxEventLength,
  })
  const refused = (what: string) => new LMError('invalid_reply', `${host.name} sent ${what}.`)
  function* read(text: string, isLast: boolean): Generator<unknown> {
    let failure: unknown
    try {
      parser.feed(text)
    } catch (thrown) {
      failure = thrown
    }
    for (const { data, event } of waiting.splice(0)) {
      if (data.trim() === '[DONE]') {
        isDone = true
        return
      }
      if (data.trim() !== '') yield named(parseEvent(data, host, isLast), event)
    }
    if (failure !== undefined) throw failure
  }
  return {
    push: (bytes) => read(toText(bytes), false),
    *end() {
      // The last event may lack the empty line after it.
      yield* read(`${toText()}\n\n`, true)
      if (/^\s*[[{]/.test(unknown)) yield parseEvent(unknown, host, true)
    },
    get isDone() {
      return isDone
    },
  }
}

/**
 * Creates a decoder that replaces all line endings with line feeds. Otherwise, the parser would search the remaining text for
 * both kinds at every line, which takes quadratic time.
 */
function createLineEnds(): (bytes?: Uint8Array) => string {
  const decoder = new TextDecoder()
  let isAfterReturn = false
  return (bytes) => {
    const text = bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true })
    if (text === '') return ''
    const rest = isAfterReturn && text.startsWith('\n') ? text.slice(1) : text
    isAfterReturn = text.endsWith('\r')
    return rest.includes('\r') ? rest.replaceAll('\r\n', '\n').replaceAll('\r', '\n') : rest
  }
}

/** Adds the name of an event to its JSON. `message` is the default name, which isn't added. */
function named(json: unknown, name: string | undefined): unknown {
  if (name === undefined || name === 'message') return json
  if (typeof json !== 'object' || json === null || Array.isArray(json) || Object.hasOwn(json, 'type')) return json
  return { ...json, _event: name }
}
