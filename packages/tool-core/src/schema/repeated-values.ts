/** Finds and removes argument values that a validator's messages repeat. */
import { valueAt } from './pointer.ts'

/** Maximum number of strings to search for. If the arguments contain more, every message is assumed to repeat a value. */
const MAX_TEXTS = 1_000
/**
 * Minimum length of a string to search for in every message. A shorter string could match by chance, so it's searched for only as a whole
 * word, and only in messages about its own path.
 */
const MIN_LENGTH = 4
/** Number of characters of a string to search for, because a message may repeat only the start of a value. */
const START = 8
const MAX_LENGTH = 100

export class RepeatedValues {
  readonly #root: unknown
  readonly #long: ReadonlySet<string> | undefined

  constructor(root: unknown) {
    this.#root = root
    this.#long = textsIn([root], MIN_LENGTH)
  }

  /**
   * Returns the values that a message about this place may repeat. `issue` may also contain the value after the library has transformed it.
   */
  at(keys: readonly string[], issue: object): RepeatedTexts {
    // In an issue from arktype, the value is in `data`, and `input` means something else.
    const { input, data = input } = issue as { readonly input?: unknown; readonly data?: unknown }
    const here = textsIn([valueAt(this.#root, keys), data], 1)
    return new RepeatedTexts(here && this.#long && new Set([...this.#long, ...here]))
  }
}

export class RepeatedTexts {
  readonly #texts: readonly string[] | undefined

  /** `texts` is undefined if there are too many strings. */
  constructor(texts: ReadonlySet<string> | undefined) {
    this.#texts = texts && [...texts].flatMap(formsOf)
  }

  isIn(message: string): boolean {
    return this.#texts === undefined || this.#foundIn(message).length > 0
  }

  /** Replaces each repeated string with `…`. Cuts the message off where it repeats only a part of a string, or a very long string. */
  removedFrom(message: string): string {
    if (this.#texts === undefined) return 'must match the schema'
    const whole = this.#foundIn(message).filter(({ length }) => length < MAX_LENGTH)
    const rest = whole.reduce((left, text) => left.replace(finderOf(text, text), '…'), message)
    const starts = this.#foundIn(rest).map((text) => rest.search(finderOf(text, startOf(text))))
    return starts.length === 0 ? rest : `${rest.slice(0, Math.max(0, Math.min(...starts)))}…`
  }

  /**
   * Returns the strings that a message repeats, longest first. Ignores case. Finds a long string by its start, and a short string as a
   * whole word.
   */
  #foundIn(message: string): readonly string[] {
    const lower = message.toLowerCase()
    const found = (this.#texts ?? []).filter((text) => lower.includes(startOf(text).toLowerCase()))
    return found
      .filter((text) => text.length >= MIN_LENGTH || finderOf(text, text).test(message))
      .sort((one, other) => other.length - one.length)
  }
}

function startOf(text: string): string {
  return text.slice(0, START)
}

function finderOf({ length }: string, text: string): RegExp {
  return length >= MIN_LENGTH
    ? new RegExp(escaped(text), 'gi')
    : new RegExp(`(?<![\\p{L}\\p{N}])${escaped(text)}(?![\\p{L}\\p{N}])`, 'giu')
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}

/** Returns the forms that a string may have in a message: unchanged, trimmed, and as JSON. */
function formsOf(text: string): readonly string[] {
  const start = text.slice(0, MAX_LENGTH)
  return [...new Set([start, start.trim(), JSON.stringify(start).slice(1, -1)])].filter((form) => form !== '')
}

/** Returns the strings and numbers in some values that have at least this length. Undefined if there are too many. */
function textsIn(values: readonly unknown[], minLength: number): ReadonlySet<string> | undefined {
  const texts = new Set<string>()
  const seen = new Set<object>()
  const stack = [...values]
  while (stack.length > 0) {
    const value = stack.pop()
    if (typeof value === 'object' && value !== null) {
      if (!seen.has(value)) for (const member of Object.values(value)) stack.push(member)
      seen.add(value)
    }
    const text = typeof value === 'number' || typeof value === 'bigint' ? String(value) : value
    if (typeof text === 'string' && text.length >= minLength) texts.add(text)
    if (texts.size > MAX_TEXTS || seen.size > MAX_TEXTS) return undefined
  }
  return texts
}
