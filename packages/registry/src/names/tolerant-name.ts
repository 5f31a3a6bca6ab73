/** Finds the tool for a name that a model misspelled slightly. Finds nothing if two tools match. */

/**
 * How the called name differed from the tool's name:
 * - `alias`: the called name is an alias of the tool (`search` → `web_search`);
 * - `prefix`: the call added a namespace, as models do (`functions.get_weather` → `get_weather`);
 * - `spelling`: only case and punctuation differ (`getWeather`, `get-weather` → `get_weather`).
 */
export type NameTag = 'alias' | 'prefix' | 'spelling'

export interface FoundName {
  /** The name of the tool. */
  readonly name: string
  /** How the called name differs from `name`. Empty for an exact match. */
  readonly tags: readonly NameTag[]
}

/** Namespaces that some models put before a tool name. */
const PREFIX = /^(?:functions|function|tools|tool|default_api)[.:/]/

/** Matches names in common notations. Excludes `*`, so that a pattern isn't mistaken for a name. */
const SPELT = /^[\w .:/-]+$/

/** Maximum length of a name to look up. Every valid name is shorter, even with a namespace. */
const MAX_LENGTH = 256

/**
 * Finds a tool's name even if case, punctuation or a namespace prefix differ. The function `nameOf` resolves aliases, and returns undefined
 * for an unknown name.
 */
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
  // Punctuation between digits separates numbers: v1_1 isn't v11.
  return name
    .toLowerCase()
    .replace(/(?<=\d)[^a-z0-9]+(?=\d)/g, '.')
    .replace(/[^a-z0-9.]|\.(?!\d)|(?<!\d)\./g, '')
}
