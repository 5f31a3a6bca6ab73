/** Reads and writes calls as DeepSeek and Kimi do: a name and JSON between markers, with all calls in a section. */
import type { BlockDefinition, DialectDefinition, WritableCall } from '../../define/definition.ts'
import { type BlockContext, type BlockOutcome, leaveMalformed } from '../../engine/block.ts'
import { JsonScanner } from '../../engine/json-scanner.ts'
import { afterSpace, loose, MarkerSet } from '../../engine/marker.ts'
import { hasWords, isLowerCase, isSpace, type Reading, type TextInput } from '../../engine/text-input.ts'
import { readJsonArguments } from '../json/json-arguments.ts'
import { scanValue } from '../json/json-calls.ts'

export interface CallSectionsOptions {
  /** Markers around all calls, each with all accepted spellings; the first is the one that is written. Default: none. */
  readonly section?: { readonly open: readonly string[]; readonly close: readonly string[] } | undefined
  readonly call: { readonly open: readonly string[]; readonly separator: readonly string[]; readonly close: readonly string[] }
  /**
   * Position of the name. `before`: before the separator, with JSON after it. `behind`: after the separator, on its own line,
   * followed by JSON in a code fence. The text before the separator is then the kind of the call.
   */
  readonly name: 'before' | 'behind'
  /** Extracts the name and the id from the text at the name's position. Default: all of the text is the name. */
  readonly toCall?: ((head: string) => { readonly name: string; readonly id?: string | undefined }) | undefined
  readonly toHead?: ((call: WritableCall, index: number) => string) | undefined
}

/** Returns blocks for sections, and for calls outside a section. */
export function callSections(options: CallSectionsOptions): Pick<DialectDefinition, 'blocks' | 'formatCalls'> {
  const grammar = toGrammar(options)
  const { section = NO_SECTION, call, toHead = ({ name }) => name } = options
  const blocks: BlockDefinition[] = [
    {
      open: section.open,
      inside: [...section.close, ...call.separator, ...call.close],
      read: (context) => readCalls(context, grammar),
    },
    {
      open: call.open,
      *read(context) {
        const outcome = yield* readCall(context, grammar)
        return outcome === 'read' ? yield* readCalls(context, grammar, true) : outcome
      },
    },
  ]
  return {
    blocks,
    formatCalls(calls) {
      const heads = calls.map(toHead)
      const wrong = calls.find(({ name }, index) => !readsBack(grammar, name, heads[index] as string))
      if (wrong !== undefined) {
        const fault = 'its name is empty or too long, contains a marker, or starts or ends with white space'
        const message = `The call to "${wrong.name}" cannot be written: ${fault}. Rename the tool.`
        return { ok: false, code: 'invalid_name', message }
      }
      const written = calls.map(({ json }, index) => writeCall(options, heads[index] as string, json))
      return `${section.open[0] ?? ''}${written.join(options.name === 'behind' ? '\n' : '')}${section.close[0] ?? ''}`
    },
  }
}

const NO_SECTION = { open: [], close: [] }

interface Grammar {
  readonly name: CallSectionsOptions['name']
  readonly toCall: NonNullable<CallSectionsOptions['toCall']>
  /** Markers that end the text before the separator. */
  readonly kindEnds: MarkerSet<'separator' | 'stop'>
  readonly nameEnds: MarkerSet<'separator' | 'stop'>
  /** Markers that end a call whose own end marker is missing. */
  readonly stops: MarkerSet<'stop'>
  readonly ends: MarkerSet<'close' | 'stop'>
  /** Markers that start the arguments or end the call. */
  readonly bodies: MarkerSet<'stop'>
  readonly close: MarkerSet<'close'>
  /** Markers in a section. `kind` matches the kind and the separator of a call without an open marker. */
  readonly next: MarkerSet<'call' | 'kind' | 'close'>
}

function toGrammar({ section = NO_SECTION, call, name, toCall = (head) => ({ name: head }) }: CallSectionsOptions): Grammar {
  const others = [...call.open, ...section.close, ...section.open]
  const ends = [...call.close, ...others]
  const kindEnds = new MarkerSet({ separator: call.separator, stop: ends })
  return {
    name,
    toCall,
    kindEnds,
    nameEnds: name === 'before' ? kindEnds : new MarkerSet({ separator: ['\n', '```', '{'], stop: ends }),
    stops: new MarkerSet({ stop: [...ends, '```'] }),
    ends: new MarkerSet({ close: call.close, stop: others }),
    bodies: new MarkerSet({ stop: [...ends, '{'] }),
    close: new MarkerSet({ close: afterSpace(call.close) }),
    next: new MarkerSet({
      call: afterSpace(call.open),
      kind: name === 'before' ? [] : afterSpace(call.separator.map((separator) => KIND + separator)),
      close: afterSpace(section.close),
    }),
  }
}

/**
 * Reads a section's calls up to its end marker, which may be missing. Other text before the first call is reported as malformed.
 * Other text after a call ends the section.
 */
function* readCalls(context: BlockContext, grammar: Grammar, hasCall = false): Reading<BlockOutcome> {
  const { input } = context
  for (let isReported = hasCall; ; ) {
    const key = yield* input.match(grammar.next)
    if (key === 'close') return 'read'
    if (key !== undefined) {
      const outcome = yield* readCall(context, grammar, key === 'kind')
      if (outcome !== 'read') return outcome
      isReported = true
      continue
    }
    if (isReported) return 'read'
    if (isCut(input, grammar.next)) return 'cut'
    const text = yield* readUpTo(input, grammar.next)
    if (text === undefined) return 'malformed'
    if (text.trim() === '') continue
    if ((yield* input.peek(grammar.next)) === 'close') {
      yield* input.match(grammar.next)
      return 'malformed'
    }
    leaveMalformed(context)
  }
}

/** Returns true if the text ends with an incomplete marker, and consumes that marker. */
function isCut(input: TextInput, markers: MarkerSet): boolean {
  if (!input.isEnded || markers.match(input.text, input.at, false) === undefined) return false
  input.at = input.text.length
  return true
}

/**
 * Reads a call, starting after its open marker, or after its separator if `isSeparated` is true. Consumes the call's end marker.
 */
function* readCall(context: BlockContext, grammar: Grammar, isSeparated = false): Reading<BlockOutcome> {
  const { input, calls, tools, policy } = context
  const head = yield* readName(input, grammar, isSeparated)
  const call = head === undefined ? undefined : grammar.toCall(head)
  // A name with a part of a marker in it is broken, unless a tool has that name.
  if (call === undefined || call.name === '' || (call.name.includes('<') && !tools.has(call.name))) {
    if (input.isAtEnd) return 'cut'
    yield* skipBody(context, grammar)
    return 'malformed'
  }
  if ((yield* input.match(FENCE)) !== undefined) yield* input.takeWhile(isLowerCase, LONGEST)
  const outcome = yield* readJsonArguments(context, call, grammar.stops)
  if (outcome === 'cut') return 'cut'
  yield* input.match(FENCE)
  if (outcome !== 'done') {
    yield* outcome === 'broken' ? skipBody(context, grammar) : endMalformed(input, grammar)
    return outcome === 'text' ? 'text' : 'malformed'
  }
  const end = yield* endCall(input, grammar)
  if (end === 'malformed') return 'malformed'
  if (end === 'missing') {
    if (input.isEnded && policy.unfinished === 'never') return 'cut'
    calls.tag('missing_end')
  }
  calls.end()
  input.mark()
  return 'read'
}

/**
 * Consumes the end marker after the arguments. If words precede it, the arguments were incomplete. Drops the rest of a broken
 * marker, such as `<|tool_ca"_end|>`, because its quote would start a quotation around the next call.
 */
function* endCall(input: TextInput, { ends, close }: Grammar): Reading<'whole' | 'missing' | 'malformed'> {
  if ((yield* input.match(close)) !== undefined) return 'whole'
  const before = input.marked
  const text = yield* readUpTo(input, ends)
  if (text !== undefined && (yield* input.peek(ends)) === 'close') {
    yield* input.match(ends)
    return hasWords(text) ? 'malformed' : 'whole'
  }
  if (text === undefined || hasWords(text.replace(/^<\S*/, ''))) input.giveBack(input.peekMarked(before))
  return 'missing'
}

/**
 * Returns a block for a separator outside of calls, which shows that a call's open marker is broken. Skips the arguments and
 * reports a malformed call.
 */
export function loneSeparator(options: CallSectionsOptions): BlockDefinition {
  const grammar = toGrammar(options)
  return {
    open: options.call.separator,
    *read(context) {
      yield* skipBody(context, grammar)
      return 'malformed'
    },
  }
}

/** Skips the rest of a malformed call. */
function* skipBody(context: BlockContext, grammar: Grammar): Reading {
  const { input } = context
  const { stops, bodies } = grammar
  yield* readUpTo(input, bodies)
  if ((yield* input.peek()) === '{') yield* scanValue(context, { stops }, new JsonScanner(stops.firstUnits), () => {})
  yield* input.match(FENCE)
  yield* endMalformed(input, grammar)
}

/** Consumes the end of a malformed call. */
function* endMalformed(input: TextInput, { close, next }: Grammar): Reading {
  yield* input.match(close)
  if ((yield* input.peek(next)) === 'close') yield* input.match(next)
}

/** Returns the trimmed text at the name's position. Returns undefined if it is empty or the separator is missing. */
function* readName(input: TextInput, grammar: Grammar, isSeparated: boolean): Reading<string | undefined> {
  const { name, kindEnds, nameEnds } = grammar
  if (name === 'behind') {
    if (!isSeparated && !(yield* readKind(input, kindEnds))) return undefined
    yield* input.takeWhile(isSpace, LONGEST)
  }
  const head = (yield* readUpTo(input, nameEnds))?.trim()
  if (head === undefined || head === '') return undefined
  if (name === 'behind') return head
  return (yield* input.match(nameEnds)) === 'separator' ? head : undefined
}

/** Skips the kind of the call; only one kind exists. Returns false if no separator follows. */
function* readKind(input: TextInput, kindEnds: Grammar['kindEnds']): Reading<boolean> {
  return (yield* readUpTo(input, kindEnds)) !== undefined && (yield* input.match(kindEnds)) === 'separator'
}

/** Maximum length of the text at the name's position, because it is held back. */
const LONGEST = 512
const KIND = 'function'
const FENCE = new MarkerSet({ fence: loose(' ```') })

/** Returns all text before a marker. Returns undefined if no marker follows within the maximum length. */
function* readUpTo(input: TextInput, markers: MarkerSet): Reading<string | undefined> {
  let taken = ''
  while (taken.length <= LONGEST) {
    taken += yield* input.takeWhile((code) => !markers.firstUnits.includes(String.fromCharCode(code)), LONGEST + 1 - taken.length)
    if ((yield* input.peek()) === '') return undefined
    if ((yield* input.peek(markers)) !== undefined) return taken
    taken += yield* input.takeWhile(() => true, 1)
  }
  return undefined
}

function readsBack({ nameEnds, kindEnds, toCall }: Grammar, name: string, head: string): boolean {
  if (name === '' || head !== head.trim() || head.length > LONGEST) return false
  return [nameEnds, kindEnds].every((ends) => ends.find(head, 0, true) === undefined) && toCall(head).name === name
}

function writeCall({ call, name }: CallSectionsOptions, head: string, json: string): string {
  const body =
    name === 'before' ? `${head}${call.separator[0]}${json}` : `${KIND}${call.separator[0]}${head}\n\`\`\`json\n${json}\n\`\`\``
  return `${call.open[0]}${body}${call.close[0]}`
}
