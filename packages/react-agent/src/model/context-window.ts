/** What is done when a conversation grows longer than a model can read: the oldest turns go first, the task and the last turn never. */
import type { Conversation, Forgotten, Message } from '@x/adapters'

export interface ContextWindowOptions {
  /** Tokens of a request and its reply, as the provider counts them, beyond which old turns are left out before the next request. */
  readonly maxTokens?: number | undefined
  /** Puts what is left out into a few words; unless given, the model is told that turns were left out. */
  readonly summarise?: ((messages: readonly Message[]) => string | Promise<string>) | undefined
}

/** Keeps what `say` gives, under a key. */
export type Journal = (key: string, say: () => Promise<string>) => Promise<string>

/** How often a request that was too long is sent again, shorter each time. */
export const MAX_ATTEMPTS = 3

/** Of one run. */
export class ContextWindow {
  readonly maxTokens: number
  readonly #summarise: ContextWindowOptions['summarise']
  /** The place of the task's inputs; those before it are earlier runs. */
  readonly #task: number
  /** What is not sent any more: of earlier runs, and of this one. */
  #earlierRange: Forgotten | undefined
  #ownRange: Forgotten | undefined

  constructor({ maxTokens = Number.POSITIVE_INFINITY, summarise }: ContextWindowOptions, task: number) {
    this.maxTokens = maxTokens
    this.#summarise = summarise
    this.#task = task
  }

  /** What is left out by now. */
  get forgotten(): readonly Forgotten[] {
    return [this.#earlierRange, this.#ownRange].filter((range) => range !== undefined)
  }

  /** Of a run that goes on: what was left out stays so. */
  forgetAgain(conversation: Conversation, ranges: readonly Forgotten[]): void {
    for (const range of ranges) this.#leaveOut(conversation, range)
  }

  /** Leaves out the older half of what may go. False where nothing may. `journal` keeps what `summarise` said. */
  async shorten(conversation: Conversation, journal: Journal): Promise<boolean> {
    const { messages } = conversation
    const earlierFrom = this.#earlierRange?.end ?? 0
    const turnsFrom = this.#ownRange?.end ?? this.#task + 1
    const earlier = startsOfTurns(messages, earlierFrom, this.#task)
    const all = startsOfTurns(messages, turnsFrom, messages.length)
    // The last turn stays.
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
    const summarise = this.#summarise
    const left = conversation.messages.slice(start, end)
    const words = summarise === undefined ? LEFT_OUT : await journal(`${start}-${end}`, async () => summarise(left))
    this.#leaveOut(conversation, { start, end, words })
  }

  #leaveOut(conversation: Conversation, range: Forgotten): void {
    conversation.forget(range)
    if (range.start > this.#task) this.#ownRange = range
    else this.#earlierRange = range
  }
}

export const LEFT_OUT = '[Earlier turns were left out here, because the conversation grew too long.]'

/** Where turns begin: at a message of the user, or of the assistant, whose results belong to it. */
function startsOfTurns(messages: readonly Message[], from: number, to: number): readonly number[] {
  const starts: number[] = []
  for (let at = from; at < to; at++) if (messages[at]?.role !== 'tool') starts.push(at)
  return starts
}

/** Providers say it in many words, and share no code. */
const TOO_LONG =
  /context[ _-]?(?:length|window|size|limit)|maximum (?:context|prompt)|max_seq_len|too many (?:input )?tokens|(?:prompt|input|request)(?: is)? too (?:long|large)|prompt exceeds max|exceeds? the (?:model's )?(?:maximum|limit|context)|request_too_large|reduce the length/i

/** What has to wait is told in much the same words ("Too many tokens, please wait"), and shortening does not help. */
const MUST_WAIT =
  /rate[ _-]?limit|throttl|too[ _]many[ _]requests|resource[ _]?exhausted|tokens per (?:min|hour|day)|please wait/i

/** Those with which a request is refused for its length. */
const STATUSES: readonly unknown[] = [400, 413, 422]

/** True for an error of a model that says that the request was longer than it can read. */
export function isTooLong(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { status, retryable, code, providerCode } = error as ModelError
  if (retryable === true || (status !== undefined && !STATUSES.includes(status))) return false
  const words = `${error.message} ${code} ${providerCode}`
  return TOO_LONG.test(words) && !MUST_WAIT.test(words)
}

/** An `LMError`, or the error of another client: nothing in it is sure. */
interface ModelError extends Error {
  readonly status?: unknown
  readonly retryable?: unknown
  readonly code?: unknown
  readonly providerCode?: unknown
}
