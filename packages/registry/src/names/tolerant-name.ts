/** Finds the tool that a model's call means when it writes the name a little differently; between two it never chooses. */

/**
 * How the name of a call differed from that of the tool:
 * - `alias`: an alias stands for the tool (`search` → `web_search`);
 * - `prefix`: a namespace that models put before names was left out (`functions.get_weather` → `get_weather`);
 * - `spelling`: letters are the same but for case and signs (`getWeather`, `get-weather` → `get_weather`).
 */
export type NameTag = 'alias' | 'prefix' | 'spelling'

export interface FoundName {
  /** The name of the tool. */
  readonly name: string
  /** Empty when the call had it right. */
  readonly tags: readonly NameTag[]
}

/** What models are known to put before the name of a tool. */
const PREFIX = /^(?:functions|function|tools|tool|default_api)[.:/]/

/** What names are written with, in one convention or another; a `*` is none of it. */
const SPELT = /^[\w .:/-]+$/

/** Longer than a legal name with a namespace: nothing that is looked up. */
const MAX_LENGTH = 256

/** Looks names up by their letters. `nameOf`: the name behind an alias, or the name itself; undefined for neither. */
export class TolerantNames {
  readonly #nameOf: (name: string) => string | undefined
  readonly #names: Iterable<string>
  #byLetters: Map<string, Set<string>> | undefined

  constructor(names: Iterable<string>, nameOf: (name: string) => string | undefined) {
    this.#names = names
    this.#nameOf = nameOf
  }

  find(wrong: string): FoundName | undefined {
    if (typeof wrong !== 'string' || wrong.length > MAX_LENGTH) return undefined
    const exact = this.#nameOf(wrong)
    if (exact !== undefined) return { name: exact, tags: exact === wrong ? [] : ['alias'] }
    const bare = wrong.replace(PREFIX, '')
    const tags: NameTag[] = bare === wrong ? [] : ['prefix']
    const known = this.#nameOf(bare)
    if (known !== undefined) return { name: known, tags: known === bare ? tags : [...tags, 'alias'] }
    if (!SPELT.test(bare)) return undefined
    const candidates = this.#table().get(lettersOf(bare)) ?? new Set()
    const targets = new Set([...candidates].flatMap((name) => this.#nameOf(name) ?? []))
    const [name, another] = targets
    return name === undefined || another !== undefined ? undefined : { name, tags: [...tags, 'spelling'] }
  }

  #table(): ReadonlyMap<string, Set<string>> {
    if (this.#byLetters !== undefined) return this.#byLetters
    const table = new Map<string, Set<string>>()
    for (const name of this.#names) {
      const letters = lettersOf(name)
      if (letters === '') continue
      const same = table.get(letters)
      if (same === undefined) table.set(letters, new Set([name]))
      else same.add(name)
    }
    this.#byLetters = table
    return table
  }
}

function lettersOf(name: string): string {
  // Between digits a sign tells numbers apart: v1_1 is not v11.
  return name
    .toLowerCase()
    .replace(/(?<=\d)[^a-z0-9]+(?=\d)/g, '.')
    .replace(/[^a-z0-9.]|\.(?!\d)|(?<!\d)\./g, '')
}
