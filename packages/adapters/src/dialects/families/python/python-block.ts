/** Calls in Python syntax, between markers or in a list within text. */
import type { BlockDefinition } from '../../define/definition.ts'
import type { BlockContext, BlockOutcome, BlockReader } from '../../engine/block.ts'
import { leaveMalformed } from '../../engine/block.ts'
import { afterSpace, loose, type Marker, MarkerSet } from '../../engine/marker.ts'
import type { Reading } from '../../engine/text-input.ts'
import { jsonBlock } from '../json/json-block.ts'
import { type PythonOutcome, readPythonCalls } from './python-calls.ts'
import { takeUnit } from './python-literal.ts'
import type { ParameterOptions } from './python-parameters.ts'

export interface PythonBlockOptions extends ParameterOptions {
  readonly open: Marker
  readonly close: Marker
  /** True for models that repeat their calls after the block, followed by only the close marker. The repetition is removed. */
  readonly mayEcho?: boolean | undefined
}

/** Returns a block between markers. It contains Python calls, with or without the brackets of a list, or calls as JSON. */
export function pythonBlock({ open, close, mayEcho, ...options }: PythonBlockOptions): BlockDefinition {
  const edges = new MarkerSet({ open, close })
  const lines = new MarkerSet({ open, close, line: '\n' })
  const opening = new MarkerSet({ open })
  const whole = { ...options, close: new MarkerSet({ close }) }
  const closing = new MarkerSet({ close: afterSpace(close) })
  const json = jsonBlock({ open, close, separators: ',;' })
  function* readCallBlock(context: BlockContext): Reading<BlockOutcome> {
    const { input, calls } = context
    const endedBefore = calls.ended
    yield* takeUnit(input, '[')
    for (;;) {
      const outcome = yield* readPythonCalls(context, whole)
      const isRead = outcome === 'done' || outcome === 'open'
      const end = endList(context, outcome, isRead && (yield* input.match(closing)) !== undefined)
      if (end === 'read') return 'read'
      // A malformed call ends with its line if there are other calls.
      if (outcome === 'broken' || (outcome === 'none' && calls.ended > endedBefore)) {
        yield* input.before(lines, ignore)
        yield* input.skipSpace()
        if (!input.isAtEnd && (yield* input.peek(edges)) === undefined) {
          leaveMalformed(context)
          continue
        }
      }
      // Other malformed text ends with the block.
      if ((yield* input.before(edges, ignore)) === 'close') yield* input.take(edges)
      return end === 'text' ? 'malformed' : end
    }
  }
  return {
    open,
    inside: close,
    *read(context) {
      const { input, calls } = context
      const endedBefore = calls.ended
      do yield* input.skipSpace()
      while ((yield* input.match(opening)) !== undefined)
      const isJson = (yield* input.peek(JSON_CALLS)) !== undefined
      const outcome = isJson ? yield* json.read(context) : yield* readCallBlock(context)
      return outcome === 'read' && mayEcho && calls.ended > endedBefore ? yield* skipEcho(context, edges) : outcome
    },
  }
}

const JSON_CALLS = new MarkerSet({ json: ['{', loose('[ {')] })

function ignore(): void {}

/**
 * Removes a repetition, which starts like a list of calls and ends with a close marker. Keeps the text if it ends without a
 * marker or with another one.
 */
function* skipEcho({ input }: BlockContext, edges: MarkerSet<'open' | 'close'>): Reading<BlockOutcome> {
  input.mark()
  if (!(yield* takeUnit(input, '['))) return 'text'
  const word = yield* input.takeWhile((code) => code > 0x20 && !'[]{}"\'<'.includes(String.fromCharCode(code)), 256)
  if (!word.includes('(') || (yield* input.before(edges, ignore)) !== 'close') return 'text'
  yield* input.take(edges)
  return 'read'
}

/**
 * Returns a reader for a list of calls, within text or on its own. It starts after the opening bracket. Before a `close` marker,
 * the closing bracket may be missing.
 */
export function pythonList(options: ParameterOptions & { readonly close?: MarkerSet | undefined }): BlockReader {
  return function* (context) {
    const endedBefore = context.calls.ended
    // Rules out most brackets in prose without reading a name.
    if ('[]()"\''.includes((yield* context.input.peek()) || ' ')) return 'text'
    const outcome = yield* readPythonCalls(context, { ...options, isInProse: true })
    const hasCalls = context.calls.isOpen || context.calls.ended > endedBefore
    return (outcome === 'done' || outcome === 'open') && !hasCalls ? 'text' : endList(context, outcome, outcome === 'done')
  }
}

/** Ends the list after its calls, and ends the open call if possible. */
function endList({ input, calls, policy }: BlockContext, outcome: PythonOutcome, isClosed: boolean): BlockOutcome {
  if (outcome === 'none') return 'text'
  if (outcome === 'cut') return 'cut'
  if (outcome === 'broken') return 'malformed'
  if (!isClosed && calls.isOpen) {
    if (input.isEnded && policy.unfinished === 'never') return 'cut'
    calls.tag('missing_end')
  }
  if (calls.isOpen) calls.end()
  return 'read'
}
