/** One thing that is wrong with a value, and how it is said to a model. */

export interface Issue {
  /** JSON pointer into the value; empty for the value itself. */
  readonly path: string
  /** The JSON Schema keyword that failed; `depth`, `size` or `forbidden` for what no schema may let pass. */
  readonly keyword: string
  /** Reads on from the path: `must be string`. */
  readonly message: string
  /** What would fit, in a few words: `integer`, `"a" | "b"`, `at most 5`. */
  readonly expected?: string | undefined
  /**
   * What was there, shortened, without credentials that can be told by their form; of an object the names, of a text in the
   * place of an object or a list its length; `[redacted]` where the schema says `writeOnly` or a name on the way looks secret.
   */
  readonly got?: string | undefined
}

/** More than these tell a model nothing new. */
export const MAX_ISSUES = 10

/** What a value that fits gives: one object for all. */
export const NO_ISSUES: readonly Issue[] = Object.freeze([])

const MAX_PATH = 200

/** Issues as one line for a model: `/city must be string; must have required property 'unit'`. */
export function renderIssues(issues: readonly Issue[]): string {
  return issues.map(({ path, message }) => (path === '' ? message : `${shorten(path, MAX_PATH)} ${message}`)).join('; ')
}

/** At most `limit` characters, the last of which says that more was there. */
export function shorten(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit - 1)}…`
}
