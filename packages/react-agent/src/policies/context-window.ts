/** What is done when a conversation grows longer than a model can read: the oldest turns go first, the task and the last turn never. */
import type { Conversation, Message } from '@x/adapters'

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
  /** Messages before these are not sent any more: of earlier runs, and of this one. */
  #earlierFrom = 0
  #turnsFrom: number

  constructor({ maxTokens = Number.POSITIVE_INFINITY, summarise }: ContextWindowOptions, task: number) {
    this.maxTokens = maxTokens
    this.#summarise = summarise
    this.#task = task
    this.#turnsFrom = task + 1
  }

  /** Leaves out the older half of what may go. False where nothing may. `journal` keeps what `summarise` said. */
  async shorten(conversation: Conversation, journal: Journal): Promise<boolean> {
    const { messages } = conversation
    const earlier = startsOfTurns(messages, this.#earlierFrom, this.#task)
    // The last turn stays.
    const own = startsOfTurns(messages, this.#turnsFrom, messages.length).slice(0, -1)
    const count = earlier.length + own.length
    if (count === 0) return false
    const leaving = Math.ceil(count / 2)
    const earlierEnd =
      leaving < earlier.length ? (earlier[leaving] as number) : earlier.length > 0 ? this.#task : this.#earlierFrom
    if (earlierEnd > this.#earlierFrom) {
      this.#earlierFrom = earlierEnd
      await this.#forget(conversation, 0, earlierEnd, journal)
    }
    const ownLeaving = leaving - earlier.length
    if (ownLeaving > 0) {
      const all = startsOfTurns(messages, this.#turnsFrom, messages.length)
      this.#turnsFrom = all[ownLeaving] as number
      await this.#forget(conversation, this.#task + 1, this.#turnsFrom, journal)
    }
    return true
  }

  async #forget(conversation: Conversation, start: number, end: number, journal: Journal): Promise<void> {
    const summarise = this.#summarise
    const left = conversation.messages.slice(start, end)
    const words = summarise === undefined ? LEFT_OUT : await journal(`${start}-${end}`, async () => summarise(left))
    conversation.forget({ start, end, words })
  }
}

export const LEFT_OUT = '[Earlier turns were left out here, because the conversation grew too long.]'

/** Where turns begin: at a message of the user, or of the assistant, whose results belong to it. */
function startsOfTurns(messages: readonly Message[], from: number, to: number): readonly number[] {
  const starts: number[] = []
  for (let at = from; at < to; at++) if (messages[at]?.role !== 'tool') starts.push(at)
  return starts
}

/** Providers say it in many words, and with status 400 or 413. */
const TOO_LONG =
  /context[ _-]?(?:length|window|size)|maximum context|too many (?:input )?tokens|(?:prompt|input|request)(?: is)? too (?:long|large)|exceeds? the (?:model's )?(?:maximum|limit|context)|request_too_large|reduce the length/i

/** True for an error of a model that says that the request was longer than it can read. */
export function isTooLong(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { providerCode } = error as { providerCode?: unknown }
  return TOO_LONG.test(error.message) || (typeof providerCode === 'string' && TOO_LONG.test(providerCode))
}
