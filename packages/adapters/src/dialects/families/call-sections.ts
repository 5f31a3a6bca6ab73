/** Calls that are a name and JSON between markers, one after the other in a section: as DeepSeek and Kimi write them. */
import type { BlockDefinition, DialectDefinition, WritableCall } from '../definition.ts'
import type { BlockContext, BlockOutcome } from '../engine/block.ts'
import { afterSpace, loose, MarkerSet } from '../engine/marker.ts'
import { isSpace, type Reading, type TextInput } from '../engine/text-input.ts'
import { readJsonArguments } from './json-arguments.ts'

export interface CallSectionsOptions {
  /** Of each marker all variants that are read; the first is the one that is written. Without a section, calls stand behind each other. */
  readonly section?: { readonly open: readonly string[]; readonly close: readonly string[] } | undefined
  readonly call: { readonly open: readonly string[]; readonly separator: readonly string[]; readonly close: readonly string[] }
  /**
   * Before the separator stands the name, and JSON behind it; or the kind of the call, and behind it the name in a line of its own
   * and JSON in a code fence.
   */
  readonly name: 'before' | 'behind'
  /** What stands in place of the name, where that is more than a name. */
  readonly toCall?: ((head: string) => { readonly name: string; readonly id?: string | undefined }) | undefined
  readonly toHead?: ((call: WritableCall, index: number) => string) | undefined
}

/** Sections, and calls without one. */
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
        const message = `No call of "${wrong.name}" can be written: its name is empty, too long, or would end at a marker or a space.`
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
  /** Where what stands before the separator ends. */
  readonly kindEnds: MarkerSet<'separator' | 'stop'>
  readonly nameEnds: MarkerSet<'separator' | 'stop'>
  /** What ends a call that was not closed. */
  readonly stops: MarkerSet<'stop'>
  readonly close: MarkerSet<'close'>
  /** What may stand in a section; `kind` is a call that lacks its open marker. */
  readonly next: MarkerSet<'call' | 'kind' | 'close'>
}

function toGrammar({ section = NO_SECTION, call, name, toCall = (head) => ({ name: head }) }: CallSectionsOptions): Grammar {
  const ends = [...call.close, ...call.open, ...section.close, ...section.open]
  const kindEnds = new MarkerSet({ separator: call.separator, stop: ends })
  return {
    name,
    toCall,
    kindEnds,
    nameEnds: name === 'before' ? kindEnds : new MarkerSet({ separator: ['\n', '```', '{'], stop: ends }),
    stops: new MarkerSet({ stop: [...ends, '```'] }),
    close: new MarkerSet({ close: afterSpace(call.close) }),
    next: new MarkerSet({
      call: afterSpace(call.open),
      kind: name === 'before' ? [] : afterSpace(call.separator.map((separator) => KIND + separator)),
      close: afterSpace(section.close),
    }),
  }
}

/** The calls of a section up to its end, which may be missing. Text before the first one is left out; without a call it can't be read. */
function* readCalls(context: BlockContext, grammar: Grammar, hasCall = false): Reading<BlockOutcome> {
  const { input } = context
  let skipped: string | undefined = ''
  for (let isTold = hasCall; ; ) {
    const key = yield* input.match(grammar.next)
    if (key === 'close') return isTold || skipped.trim() === '' ? 'read' : 'unread'
    if (key !== undefined) {
      const outcome = yield* readCall(context, grammar, key === 'kind')
      if (outcome !== 'read') return outcome
      isTold = true
    } else if (isTold) return 'read'
    else if (isCut(input, grammar.next)) return 'cut'
    else {
      skipped = yield* readUpTo(input, grammar.next)
      if (skipped === undefined) return 'unread'
    }
  }
}

/** At the end of the text: the beginning of a marker may be left. */
function isCut(input: TextInput, markers: MarkerSet): boolean {
  if (!input.isEnded || markers.match(input.text, input.at, false) === undefined) return false
  input.at = input.text.length
  return true
}

/** From behind its open marker, or its separator, to behind its end. */
function* readCall(context: BlockContext, grammar: Grammar, isSeparated = false): Reading<BlockOutcome> {
  const { input, calls, policy } = context
  const head = yield* readName(input, grammar, isSeparated)
  const call = head === undefined ? undefined : grammar.toCall(head)
  if (call === undefined || call.name === '') {
    if (input.isAtEnd) return 'cut'
    yield* endUnread(input, grammar)
    return 'unread'
  }
  if ((yield* input.match(FENCE)) !== undefined) yield* input.takeWhile(isLetter, LONGEST)
  const outcome = yield* readJsonArguments(context, call, grammar.stops)
  if (outcome === 'cut') return 'cut'
  if (outcome === 'broken') yield* input.takeWhile((code) => code !== LESS_THAN, LONGEST)
  yield* input.match(FENCE)
  if (outcome !== 'done') {
    yield* endUnread(input, grammar)
    return outcome === 'text' ? 'text' : 'unread'
  }
  if ((yield* input.match(grammar.close)) === undefined) {
    if (input.isEnded && policy.unfinished === 'never') return 'cut'
    calls.tag('missing_end')
  }
  calls.end()
  input.mark()
  return 'read'
}

/** What ends a call that cannot be read belongs to it. */
function* endUnread(input: TextInput, { close, next }: Grammar): Reading {
  yield* input.match(close)
  if ((yield* input.sees(next)) === 'close') yield* input.match(next)
}

/** The text in place of the name, trimmed; undefined if there is none, or its separator is missing. */
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

/** Whatever the kind is: there is but one. */
function* readKind(input: TextInput, kindEnds: Grammar['kindEnds']): Reading<boolean> {
  return (yield* readUpTo(input, kindEnds)) !== undefined && (yield* input.match(kindEnds)) === 'separator'
}

/** The longest head that is read: what is held back has a limit. */
const LONGEST = 512
const LESS_THAN = 0x3c
const KIND = 'function'
const FENCE = new MarkerSet({ fence: loose(' ```') })

function isLetter(code: number): boolean {
  return code >= 0x61 && code <= 0x7a
}

/** Everything before a marker; undefined if none comes soon. */
function* readUpTo(input: TextInput, markers: MarkerSet): Reading<string | undefined> {
  let taken = ''
  while (taken.length <= LONGEST) {
    taken += yield* input.takeWhile((code) => !markers.firstUnits.includes(String.fromCharCode(code)), LONGEST + 1 - taken.length)
    if ((yield* input.peek()) === '') return undefined
    if ((yield* input.sees(markers)) !== undefined) return taken
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
