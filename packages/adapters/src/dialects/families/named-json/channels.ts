/** Reads messages that have a header. A message to a tool is a call. Any other message is reasoning or text. */
import type { BlockContext, BlockOutcome } from '../../engine/block.ts'
import { afterSpace, MarkerSet } from '../../engine/marker.ts'
import { hasWords, isLowerCase, isSpace, type Reading } from '../../engine/text-input.ts'
import { readJsonArguments } from '../json/json-arguments.ts'

/** Markers that end a message that isn't a call. */
export const TEXT_ENDS = ['<|end|>', '<|return|>']
const CALL_END = '<|call|>'
const MESSAGE_ENDS = [CALL_END, ...TEXT_ENDS]
/** Markers that start a message. The last one is for a prompt that ends with `<|start|>assistant`. */
export const MESSAGE_OPENS = ['<|start|>', '<|channel|>', 'to=']
/** Prefix of a recipient that is one of the request's tools. */
export const SPACE = 'functions.'

/**
 * Reads a message from its header to its end. Of a text message, reads only the header; the engine reads its content as ordinary
 * text. The end marker of such text, or of reasoning that started in the prompt, is a block of its own and is dropped.
 */
export function* readMessage(context: BlockContext): Reading<BlockOutcome> {
  const { input, hasText, hasReasoning, giveText, giveReasoning } = context
  if (TEXT_ENDS.includes(context.opener)) return 'read'
  const { outcome, text } = yield* readHeader(context)
  const recipient = recipientOf(text)
  const isGlued = recipient === undefined && OF_TOOL.test(text)
  if (outcome === 'text' || isGlued) return yield* skipBroken(context, isGlued ? '' : recipient)
  if (isOfOther(text, recipient)) {
    const end = (yield* input.before(BODY_ENDS, () => {})) === 'end' ? yield* input.take(BODY_ENDS) : ''
    // Only calls that the model itself wrote end with this marker.
    return end === CALL_END ? 'malformed' : 'read'
  }
  if (outcome === 'cut') return recipient === undefined ? 'read' : 'cut'
  if (recipient !== undefined) return yield* readCall(context, recipient)
  // Keeps two messages on separate lines.
  if (channelOf(text) !== 'analysis') {
    if (hasText) giveText('\n')
    return 'read'
  }
  if (hasReasoning) giveReasoning('\n')
  input.unmark()
  if ((yield* input.before(BODY_ENDS, giveReasoning)) === 'end') yield* input.take(BODY_ENDS)
  return 'read'
}

/**
 * Handles a header without its last marker. If it has a recipient, it was meant as a call if it starts with a token, or if JSON
 * for one of the request's tools follows.
 */
function* skipBroken({ input, opener, tools }: BlockContext, recipient: string | undefined): Reading<BlockOutcome> {
  if (recipient === undefined) return 'text'
  if (opener === 'to=') {
    if (tools.isOpen || !recipient.startsWith(SPACE) || !tools.has(recipient.slice(SPACE.length))) return 'text'
    yield* input.takeWhile(isLowerCase, LONGEST_KIND)
    yield* input.skipSpace()
    if ((yield* input.peek()) !== '{') return 'text'
  }
  if ((yield* input.before(BODY_ENDS, () => {})) === 'end') yield* input.take(BODY_ENDS)
  return 'malformed'
}

/** A tool as the recipient, after a broken `to`. */
const OF_TOOL = /=\s*functions\.[^\s<]/
/** Maximum length of a word such as `json`. */
const LONGEST_KIND = 16

const HEADER = new MarkerSet({ message: '<|message|>', part: ['<|channel|>', '<|constrain|>'] })
const BODY_ENDS = new MarkerSet({ end: MESSAGE_ENDS, next: ['<|start|>', '<|channel|>'] })
const CALL_ENDS = new MarkerSet({ end: afterSpace(MESSAGE_ENDS) })

/** Maximum length of a header, because it is held back. */
const LONGEST = 512
const LESS_THAN = 0x3c
const LINE_FEED = 0x0a

/**
 * Reads a header: `<|start|>assistant to=R<|channel|>CH to=R <|constrain|>json<|message|>`. Only the last marker is required.
 * `cut`: the text ended inside the header. `text`: it isn't a header.
 */
function* readHeader({ input, opener }: BlockContext): Reading<{ outcome: 'read' | 'cut' | 'text'; text: string }> {
  let text = opener
  let isHeader = opener !== 'to='
  if (!isHeader) {
    text += yield* input.takeWhile((code) => code !== LESS_THAN && !isSpace(code), LONGEST)
    text += yield* input.takeWhile(isSpace, 1)
  }
  while (text.length <= LONGEST) {
    if (isHeader) text += yield* input.takeWhile((code) => code !== LESS_THAN && code !== LINE_FEED, LONGEST)
    const key = yield* input.peek(HEADER)
    if (key === undefined) break
    isHeader = true
    text += yield* input.take(HEADER)
    if (key === 'message') return { outcome: 'read', text }
  }
  // The text may end with an incomplete marker.
  const isCut = isHeader && input.isEnded && HEADER.match(input.text, input.at, false) !== undefined
  if (isCut) input.at = input.text.length
  return { outcome: isCut ? 'cut' : 'text', text }
}

/**
 * Returns true for a message of another role, such as an invented result. A message that calls a tool, reasons or answers is the
 * model's own, even if its role is misspelled.
 */
function isOfOther(header: string, recipient: string | undefined): boolean {
  const role = /^<\|start\|>\s*([^\s<]+)/.exec(header)?.[1]
  if (role === undefined || role === 'assistant' || role.startsWith('to=')) return false
  if (OTHERS.includes(role) || role.startsWith(SPACE)) return true
  return recipient === undefined && !['analysis', 'final'].includes(channelOf(header) ?? '')
}

const OTHERS = ['system', 'developer', 'user', 'tool']

/** Returns the last recipient, unless it is the model itself or the user. */
function recipientOf(header: string): string | undefined {
  const recipient = [...header.matchAll(/(?<![^\s|>])to\s*=\s*([^\s<]+)/g)].at(-1)?.[1]
  return recipient !== undefined && PEOPLE.includes(recipient) ? undefined : recipient
}

const PEOPLE = ['assistant', 'user', 'all']

function channelOf(header: string): string | undefined {
  return [...header.matchAll(/<\|channel\|>\s*(\w+)/g)].at(-1)?.[1]
}

/**
 * Reads a message to a recipient. If that is one of the request's tools, the message is a call, even if its content isn't JSON.
 * Otherwise it may be code, and never becomes text.
 */
function* readCall(context: BlockContext, recipient: string): Reading<BlockOutcome> {
  const { input, calls, policy } = context
  const name = recipient.startsWith(SPACE) ? recipient.slice(SPACE.length) : recipient
  const isOwn = name !== recipient && name !== ''
  const outcome = name === '' ? 'broken' : yield* readJsonArguments(context, { name }, BODY_ENDS)
  if (outcome === 'cut') return 'cut'
  const isCall = outcome === 'done' || (outcome === 'broken' && isOwn)
  if (outcome === 'broken' || (outcome === 'text' && !isOwn)) {
    if (isOwn && !calls.isOpen) calls.start({ name })
    const give = isOwn ? (text: string) => calls.write(text) : () => {}
    if ((yield* input.before(BODY_ENDS, give)) === undefined) return 'cut'
  }
  let isClosed = (yield* input.match(CALL_ENDS)) !== undefined
  if (!isClosed && outcome === 'done') {
    // If text follows the arguments, they were incomplete.
    let rest = ''
    const end = yield* input.before(BODY_ENDS, (text) => {
      rest += text
    })
    if (end === 'end') yield* input.take(BODY_ENDS)
    isClosed = end === 'end'
    if (hasWords(rest)) return 'malformed'
    if (rest.trim() !== '') calls.tag('repaired')
  }
  if (!isCall) return outcome === 'text' && isOwn ? 'text' : 'malformed'
  if (!isClosed) {
    if (input.isEnded && policy.unfinished === 'never') return 'cut'
    calls.tag('missing_end')
  }
  calls.end()
  return 'read'
}
