/** Shortens a conversation that grows too long for the model: drops the oldest turns, but never the task or the last turn. */
import type { Conversation, Forgotten, Message } from '@x/adapters'
import { LEFT_OUT } from '../prompts.ts'

export interface ContextWindowOptions {
  /** Maximum number of tokens of a request and its reply, as reported by the provider. If exceeded, the next request omits old turns. */
  readonly maxTokens?: number | undefined
  /** Summarizes the messages that are left out. Default: a note for the model that earlier turns were left out. */
  readonly summarize?: ((messages: readonly Message[]) => string | Promise<string>) | undefined
}

/** Records the text that `write` resolves to, under a key. */
export type Journal = (key: string, write: () => Promise<string>) => Promise<string>

/** Maximum number of retries after a request that was too long. Each retry is shorter. */
export const MAX_ATTEMPTS = 3

/** The context window of one run. */
export class ContextWindow {
  readonly maxTokens: number
  readonly #summarize: ContextWindowOptions['summarize']
  /** Index of the task's inputs. The messages before it belong to earlier runs. */
  readonly #task: number
  /** Ranges that are no longer sent: one of earlier runs, one of this run. */
  #earlierRange: Forgotten | undefined
  #ownRange: Forgotten | undefined

  constructor({ maxTokens = Number.POSITIVE_INFINITY, summarize }: ContextWindowOptions, task: number) {
    this.maxTokens = maxTokens
    this.#summarize = summarize
    this.#task = task
  }

  /** The ranges left out so far. */
  get forgotten(): readonly Forgotten[] {
    return [this.#earlierRange, this.#ownRange].filter((range) => range !== undefined)
  }

  /** Leaves out the same ranges again in a resumed run. */
  forgetAgain(conversation: Conversation, ranges: readonly Forgotten[]): void {
    for (const range of ranges) this.#leaveOut(conversation, range)
  }

  /** Leaves out the older half of the turns that can be dropped. Returns false if there are none. `journal` records the summary. */
  async shorten(conversation: Conversation, journal: Journal): Promise<boolean> {
    const { messages } = conversation
    const earlierFrom = this.#earlierRange?.end ?? 0
    const turnsFrom = this.#ownRange?.end ?? this.#task + 1
    const earlier = startsOfTurns(messages, earlierFrom, this.#task)
    const all = startsOfTurns(messages, turnsFrom, messages.length)
    // The last turn is kept.
    const own = all.slice(0, -1)
    const count = earlier.length + own.length
    if (count === 0) return false
    const leaving = Math.ceil(count / 2)
    const earlierEnd = leaving < earlier.length ? (earlier[leaving] as number) : earlier.length > 0 ? this.#task : earlierFrom
    if (earlierEnd > earlierFrom) await this.#forget(conversation, 0, earlierEnd, journal)
    const ownLeaving = leaving - earlier.length
    if (ownLeaving > 0) await this.#forget(conversation, this.#task + 1, all[ownLeaving] as number, journal)
    return true
  }

  async #forget(conversation: Conversation, start: number, end: number, journal: Journal): Promise<void> {
    const summarize = this.#summarize
    const left = conversation.messages.slice(start, end)
    const words = summarize === undefined ? LEFT_OUT : await journal(`${start}-${end}`, async () => summarize(left))
    this.#leaveOut(conversation, { start, end, words })
  }

  #leaveOut(conversation: Conversation, range: Forgotten): void {
    conversation.forget(range)
    if (range.start > this.#task) this.#ownRange = range
    else this.#earlierRange = range
  }
}

/** Indexes at which turns start: messages of the user or the assistant. Tool results belong to the turn before them. */
function startsOfTurns(messages: readonly Message[], from: number, to: number): readonly number[] {
  const starts: number[] = []
  for (let at = from; at < to; at++) if (messages[at]?.role !== 'tool') starts.push(at)
  return starts
}

/** Matches error messages of providers, because they share no error code for a request that is too long. */
const TOO_LONG =
  /context[ _-]?(?:length|window|size|limit)|maximum (?:context|prompt)|max_seq_len|too many (?:input )?tokens|(?:prompt|input|request)(?: is)? too (?:long|large)|prompt exceeds max|exceeds? the (?:model's )?(?:maximum|limit|context)|request_too_large|reduce the length/i

/** Matches rate limits. Their messages are similar ("Too many tokens, please wait"), but a shorter request doesn't help. */
const MUST_WAIT =
  /rate[ _-]?limit|throttl|too[ _]many[ _]requests|resource[ _]?exhausted|tokens per (?:min|hour|day)|please wait/i

/** HTTP statuses for a request that is too long. */
const STATUSES: readonly unknown[] = [400, 413, 422]

/** Returns true if a provider's error reports that the request exceeds the context window. */
export function isTooLong(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { status, retryable, code, providerCode } = error as ModelError
  if (retryable === true || (status !== undefined && !STATUSES.includes(status))) return false
  const words = `${error.message} ${code} ${providerCode}`
  return TOO_LONG.test(words) && !MUST_WAIT.test(words)
}

/** An `LMError`, or an error of another client, whose properties may have any type. */
interface ModelError extends Error {
  readonly status?: unknown
  readonly retryable?: unknown
  readonly code?: unknown
  readonly providerCode?: unknown
}
