/** The state machine of all dialects. It reads text, reasoning and blocks, piece by piece. */
import type { LMDelta } from '../../protocol/protocol.ts'
import type { DialectPolicy, ParserOptions, TextParser } from '../define/dialect.ts'
import type { BlockContext, BlockOutcome, BlockReader } from './block.ts'
import { BrokenCall } from './broken-call.ts'
import { hasCallRemains } from './call-remains.ts'
import { CallWriter } from './call-writer.ts'
import { type Channels, readChannelName } from './channel-name.ts'
import { DroppedText } from './dropped-text.ts'
import { CODE_INDENT } from './line-start.ts'
import type { MachineBlock, MachineParts, MarkerKey } from './machine-parts.ts'
import type { MarkerSet } from './marker.ts'
import { PlaceTracker } from './place-tracker.ts'
import { readQuoted, type SilentContext, toLastBlocks } from './silent-reading.ts'
import { type FoundMarker, hasWords, type Reading, TextInput } from './text-input.ts'
import { TextWriter } from './text-writer.ts'
import { type ToolTable, toToolTable } from './tool-table.ts'

export class TextMachine implements TextParser {
  readonly #parts: MachineParts
  readonly #policy: DialectPolicy
  readonly #tools: ToolTable
  readonly #input = new TextInput()
  #deltas: LMDelta[] = []
  readonly #text = new TextWriter('text', (delta) => this.#report(delta))
  readonly #reasoning = new TextWriter('reasoning', (delta) => this.#report(delta))
  /** True if the text has no more close markers of channels. Then other channels needn't be held back until the end. */
  #hasNoEnd = false
  readonly #calls: CallWriter
  readonly #place = new PlaceTracker()
  readonly #dropped = new DroppedText()
  /** Detects broken calls. Undefined if the dialect can't recognize them. */
  readonly #broken: BrokenCall | undefined
  /** True while text is emitted that must not be reported as a malformed call, for example because it already was. */
  #isReported = false
  readonly #reading: Reading
  #isOver = false
  /** True once the rest of the text is known to contain no closing marker for reasoning. The text isn't searched again then. */
  #hasNoMoreEnds = false
  /** True if the block's reader has emitted text. White space after it is then kept. */
  #isTextGiven = false

  constructor(parts: MachineParts, policy: DialectPolicy, { tools, startsInReasoning = false }: ParserOptions) {
    this.#parts = parts
    this.#policy = policy
    this.#tools = toToolTable(tools)
    const { syntax } = parts
    const hasRemains = syntax && ((text: string, isBeside: boolean) => hasCallRemains(text, syntax, this.#tools, isBeside))
    this.#broken = parts.hasPieces || hasRemains ? new BrokenCall(hasRemains) : undefined
    this.#calls = new CallWriter(
      (delta) => this.#report(delta),
      this.#tools,
      () => this.#input.peekMarked(0),
    )
    this.#reading = this.#readAll(startsInReasoning)
  }

  push(piece: string): readonly LMDelta[] {
    if (piece === '' || this.#isOver) return []
    if (this.#deltas.length > 0) this.#deltas = []
    if (this.#input.append(piece)) this.#reading.next()
    return this.#deltas
  }

  end(): readonly LMDelta[] {
    if (this.#isOver) return []
    this.#isOver = true
    this.#input.isEnded = true
    this.#deltas = []
    this.#reading.next()
    return this.#deltas
  }

  /**
   * Replaces an empty array instead of adding to it, because the caller may still hold it. Most pieces have one delta, for which
   * an array literal is faster.
   */
  #report(delta: LMDelta): void {
    if (this.#deltas.length === 0) this.#deltas = [delta]
    else this.#deltas.push(delta)
  }

  *#readAll(startsInReasoning: boolean): Reading {
    if (startsInReasoning) yield* this.#readReasoning()
    const { atStart } = this.#parts
    for (;;) {
      if (atStart !== undefined && this.#text.isEmpty && (yield* this.#mayStart()))
        yield* this.#readBlock({ key: atStart, text: '' }, this.#give)
      const found = yield* this.#input.until(this.#parts.inText, this.#give)
      const isEnd = found?.key === 'end' && !this.#isExample() && !this.#isInQuotation()
      if (found !== undefined && !isEnd) yield* this.#readMarker(found)
      if (this.#input.isAtEnd || isEnd) this.#reportDropped()
      if (this.#input.isAtEnd) return
      if (isEnd) return yield* this.#dropRest()
    }
  }

  /** Returns true if a block without a marker may start here: before any text, and outside indented code. */
  *#mayStart(): Reading<boolean> {
    if ((yield* this.#input.peek(this.#parts.endOfReasoning)) !== undefined) return false
    if (this.#policy.quotedCall === 'call') return true
    const indent = yield* this.#input.takeWhile((code) => code === SPACE || code === TAB, CODE_INDENT)
    this.#input.giveBack(indent)
    return indent.length < CODE_INDENT && !indent.includes('\t')
  }

  *#readMarker(found: FoundMarker<MarkerKey>): Reading {
    const { key, text } = found
    const { channels } = this.#parts
    if (key === 'think' && channels !== undefined) return yield* this.#readChannel(channels)
    if (key === 'think' && (this.#text.isEmpty || this.#parts.reasonsAnywhere)) yield* this.#readReasoning()
    // After text, reasoning markers remain text, but a call in closed reasoning is still ignored.
    else if (key === 'think' && this.#policy.callInReasoning !== 'call') yield* this.#readReasoning(text)
    // A close marker without an open one: the prompt may contain the open marker, or the close marker is extra.
    // Prose mentions the marker, as in `<tool_calls>`.
    else if (key === 'ignored' && this.#isInQuotation() && CLOSING_MARKS.includes((yield* this.#input.peek()) || ' '))
      this.#give(text)
    else if (key === 'ignored' || (key === 'endThink' && (this.#text.isEmpty || this.#parts.reasonsAnywhere))) {
      this.#text.skipSpace()
      this.#place.quotes.skipSpace()
    } else if (key === 'piece' || key === 'ignoredPiece') this.#readPiece(text, key === 'ignoredPiece')
    else if (!key.startsWith('block:') || this.#isExample()) this.#give(text)
    else if (this.#isQuoted(found)) yield* this.#readQuoted(found)
    else yield* this.#readBlock(found, this.#give)
  }

  /** Reads a channel. A channel without a name contains reasoning if it is closed, and text otherwise. */
  *#readChannel(channels: Channels): Reading {
    const { kind, text } = yield* readChannelName(this.#input, channels)
    this.#text.skipSpace()
    if (kind === 'reasoning') yield* this.#readReasoning()
    if (kind !== 'none') return
    const held = [text]
    const hold = (more: string) => held.push(more)
    let found = this.#hasNoEnd ? undefined : yield* this.#input.until(this.#parts.inText, hold)
    // If the channel is closed after a call, the call isn't executed. Looks only for a close marker, because a call's arguments
    // may contain other markers.
    if (found?.key.startsWith('block:') && this.#policy.callInReasoning !== 'call') {
      hold(found.text)
      found = yield* this.#input.until(this.#parts.closeOfReasoning, hold)
      this.#hasNoEnd = found === undefined
    }
    if (found?.key !== 'endThink') return this.#input.giveBack(held.join('') + (found?.text ?? ''))
    this.#reasoning.skipSpace()
    this.#reasoning.write(held.join(''))
  }

  /** Handles a piece of a call (see `MarkerKey`) outside blocks. In an example or a quotation, it doesn't count. */
  #readPiece(text: string, isIgnored: boolean): void {
    const isNamed = this.#isExample() || this.#isInQuotation()
    if (isIgnored) {
      this.#text.skipSpace()
      this.#place.quotes.skipSpace()
      if (!isNamed) this.#broken?.pushPiece('')
      if (this.#isDropping) this.#dropped.pushIgnored(text)
    } else {
      // Quotation marks inside a marker don't open a quotation.
      this.#place.quotes.push(text.replace(/["'`]/g, ''))
      this.#giveBeside(text, !isNamed)
    }
  }

  #isExample(): boolean {
    return this.#place.fence.isOpen && this.#policy.callInFence === 'text'
  }

  #isQuoted({ key, text }: FoundMarker<MarkerKey>): boolean {
    if (this.#policy.quotedCall !== 'text' || this.#blockOf(key).isMarkup) return false
    if (text.includes('\n')) this.#place.quotes.push(text.slice(0, text.search(/\S|$/)))
    return this.#place.isQuoted
  }

  /** Emits a quoted block as text, including the calls in it. */
  *#readQuoted({ key, text: opener }: FoundMarker<MarkerKey>): Reading {
    const again = this.#parts.againOf(opener)
    const { text, hasCall } = yield* readQuoted(this.#toSilent(), opener, this.#blockOf(key).read, again)
    if (!hasCall) return this.#give(text)
    this.#giveBeside(text)
    this.#place.quotes.skipSpace()
  }

  #toSilent(): SilentContext {
    return { input: this.#input, tools: this.#tools, policy: this.#policy }
  }

  /** Returns true if this position is quoted. Computed only when needed, because that takes long. */
  readonly #isInQuotation = (): boolean => this.#policy.quotedCall === 'text' && this.#place.isQuoted

  readonly #give = (text: string): void => {
    this.#place.push(text)
    this.#write(text)
  }

  get #isDropping(): boolean {
    return this.#policy.textAfterCalls === 'drop' && this.#calls.ended > 0
  }

  /** Emits text without passing it to `#quotes`. Quotation marks inside a quoted block don't end the quotation. */
  #giveBeside(text: string, isPiece = false): void {
    this.#place.fence.push(text)
    this.#write(text, isPiece)
  }

  #write(text: string, isPiece = false): void {
    if (!this.#isDropping) {
      if (isPiece) this.#broken?.pushPiece(text)
      else if (!this.#isReported) this.#broken?.push(text)
      this.#text.write(text)
    } else if (!this.#isReported) this.#dropped.push(text)
  }

  /**
   * Reads reasoning to its end. If it never ends, the calls at the end count as calls. `shown` is the open marker if the
   * reasoning stays text.
   */
  *#readReasoning(shown?: string): Reading {
    const give = shown === undefined ? (text: string) => this.#reasoning.write(text) : this.#give
    const { callInReasoning } = this.#policy
    const { inReasoning, endOfReasoning } = this.#parts
    const isNew = shown === undefined
    let isClosed = callInReasoning === 'call' || this.#hasNoMoreEnds
    if (shown === undefined) {
      this.#reasoning.skipSpace()
      this.#text.skipSpace()
    } else give(shown)
    for (;;) {
      const isIgnored = isNew && callInReasoning === 'ignore'
      const found = yield* this.#untilInReasoning(isIgnored ? endOfReasoning : inReasoning, give, isNew)
      if (found?.key === 'endThink' && shown !== undefined) give(found.text)
      if (found === undefined || found.key === 'endThink') return
      if (this.#blockOf(found.key).isMarkup) {
        yield* this.#readBlock(found, give)
        continue
      }
      if (!isClosed) {
        const { isOpen, text } = yield* this.#readOpening(found)
        if (!isOpen) {
          give(text)
          continue
        }
        const held = [text]
        const end = yield* this.#untilInReasoning(endOfReasoning, (more) => held.push(more), false)
        if (end !== undefined) {
          give(held.join('') + (shown === undefined ? '' : end.text))
          return
        }
        this.#input.rewind(held.join(''))
        isClosed = this.#hasNoMoreEnds = true
        yield* toLastBlocks(this.#toSilent(), this.#parts.inOpenReasoning, (key) => this.#readerOf(key))
        give(this.#input.text.slice(0, this.#input.at))
        continue
      }
      if (yield* this.#readBlock(found, give)) return
    }
  }

  /**
   * Returns the next marker that may end reasoning. Removes a repeated open marker at the very start. If the dialect has
   * channels, removes it anywhere, because text can't contain it there. A text channel ends the reasoning.
   */
  *#untilInReasoning(
    markers: MarkerSet<MarkerKey>,
    give: (text: string) => void,
    isNew: boolean,
  ): Reading<FoundMarker<MarkerKey> | undefined> {
    const { channels } = this.#parts
    let isEmpty = isNew
    const giveOn = (text: string) => {
      isEmpty &&= text.trim() === ''
      give(text)
    }
    for (;;) {
      const found = yield* this.#input.until(markers, giveOn)
      if (found?.key !== 'think') return found
      const { kind, text } = channels ? yield* readChannelName(this.#input, channels) : { kind: 'none', text: '' }
      if (kind === 'text') return { key: 'endThink', text: found.text }
      giveOn(channels || isEmpty ? text : found.text)
    }
  }

  /** Returns whether a block starts here, and the text that was consumed to find out. */
  *#readOpening({ key, text }: FoundMarker<MarkerKey>): Reading<{ readonly isOpen: boolean; readonly text: string }> {
    const opens = this.#blockOf(key).opens
    if (opens === undefined) return { isOpen: true, text }
    this.#input.mark(this.#input.at - text.length)
    const isOpen = yield* opens(this.#input, text)
    return { isOpen, text: this.#input.sinceMark() }
  }

  /** Reads a block. Returns false if its reader refused it. Its text is then emitted, unless the policy drops it. */
  *#readBlock({ key, text: opener }: FoundMarker<MarkerKey>, give: (text: string) => void): Reading<boolean> {
    const input = this.#input
    const calls = this.#calls
    // A bracket may be plain text. It then doesn't separate the text before it from the text after it.
    const isBracket = opener.trim().length < SHORTEST_MARKER
    if (!isBracket) this.#reportDropped()
    input.mark(input.at - opener.length)
    const { read, isMarkup } = this.#blockOf(key)
    const endedBefore = calls.ended
    this.#isTextGiven = false
    const outcome = yield* read(this.#toContext(opener, isMarkup ? give : this.#toGiveText(opener, give)))
    if (isBracket && outcome !== 'text') this.#reportDropped(endedBefore)
    if (outcome === 'malformed' || calls.isOpen || calls.ended > endedBefore) this.#reportText(this.#broken?.takeBeforeCall())
    const isKept = outcome === 'cut' && this.#keepsCut()
    if (isKept && calls.isWhole) calls.tag('missing_end')
    if (calls.isOpen && (isKept || outcome === 'read')) calls.end(!calls.isWhole)
    if (outcome === 'read' || isKept) {
      input.unmark()
      if (!this.#isTextGiven) this.#text.skipSpace()
      this.#place.quotes.passCall()
      return true
    }
    const text = input.sinceMark()
    if (calls.isOpen) calls.takeBack(text)
    // If calls of this block were read or reported, the rest is often just a bracket, which isn't reported.
    else if (outcome !== 'text' && (calls.ended > endedBefore ? hasWords(text) : text.trim() !== '')) calls.reportMalformed(text)
    this.#isReported = outcome !== 'text'
    const isCall = give === this.#give && outcome !== 'text'
    if (this.#keeps(outcome)) (isCall ? this.#giveBeside : give).call(this, text)
    this.#isReported = false
    if (outcome !== 'text') this.#broken?.passMalformed()
    // No fence or quotation was open before the block, so those inside it belong to the call.
    if (isCall) this.#place.fence.leave()
    if (isCall) this.#place.quotes.passCall()
    return false
  }

  /** Reports text outside blocks that was meant as a call. */
  #reportDropped(ended = this.#calls.ended): void {
    this.#reportText(this.#broken?.take(ended > 0) ?? this.#dropped.take(this.#parts.inCalls))
  }

  #reportText(text: string | undefined): void {
    if (text !== undefined) this.#calls.reportMalformed(text)
  }

  /** Returns true if the policy keeps a call that is open when the text ends. */
  #keepsCut(): boolean {
    const { unfinished } = this.#policy
    return this.#calls.isOpen && (unfinished === 'cut' || (unfinished === 'whole' && this.#calls.isWhole))
  }

  #readerOf(key: MarkerKey): BlockReader | undefined {
    return key.startsWith('block:') ? this.#blockOf(key).read : undefined
  }

  #blockOf(key: MarkerKey): MachineBlock {
    return this.#parts.blocks[Number(key.slice('block:'.length))] as MachineBlock
  }

  /** Returns the block's `giveText`. Text that a reader emits is part of the answer, even if the block started in reasoning. */
  #toGiveText(opener: string, give: (text: string) => void): (text: string) => void {
    const { ended } = this.#calls
    let isBlock: boolean | undefined
    return (text) => {
      // Text that starts with the open marker is the block itself. Before any call, it stays where the block started.
      isBlock ??= opener !== '' && text.startsWith(opener)
      if (isBlock && this.#calls.ended === ended) give(text)
      else this.#give(text)
    }
  }

  #toContext(opener: string, give: (text: string) => void): BlockContext {
    return {
      input: this.#input,
      calls: this.#calls,
      tools: this.#tools,
      policy: this.#policy,
      opener,
      hasText: !this.#text.isEmpty,
      hasReasoning: !this.#reasoning.isEmpty,
      isQuoted: this.#isInQuotation,
      giveText: (text) => {
        this.#isTextGiven = this.#isReported = true
        give(text)
        this.#isReported = false
      },
      giveReasoning: (text) => this.#reasoning.write(text),
    }
  }

  #keeps(outcome: BlockOutcome): boolean {
    const { malformedBlock } = this.#policy
    return outcome === 'text' || malformedBlock === 'text' || (malformedBlock === 'text-unless-cut' && outcome !== 'cut')
  }

  *#dropRest(): Reading {
    for (;;) {
      this.#input.at = this.#input.text.length
      if (this.#input.isEnded) return
      yield
    }
  }
}

const CLOSING_MARKS = '`"\'’”»'
const SHORTEST_MARKER = 3
const SPACE = 0x20
const TAB = 0x09
