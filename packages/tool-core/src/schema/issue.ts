/** Validation issues, and functions that render them for a model. */

export interface Issue {
  /** JSON pointer into the value; empty for the value itself. */
  readonly path: string
  /** The JSON Schema keyword that failed. `depth`, `size`, `forbidden` and `too_complex` are limits that apply to every schema. */
  readonly keyword: string
  /** The rest of a sentence that starts with the path, e.g. `must be string`. */
  readonly message: string
  /** A short description of valid values, e.g. `integer`, `"a" | "b"` or `at most 5`. */
  readonly expected?: string | undefined
  /**
   * The actual value, shortened, without recognisable credentials. For an object, only its keys. For a string in place of an object or
   * array, only its length. `[redacted]` if the schema has `writeOnly`, or if a key on the path looks secret.
   */
  readonly got?: string | undefined
}

/** Maximum number of issues for a value. */
export const MAX_ISSUES = 10

/** The issues of a valid value. Always the same object. */
export const NO_ISSUES: readonly Issue[] = Object.freeze([])

const MAX_PATH = 200

/** Renders issues as one line for a model: `/city must be string; must have required property 'unit'`. */
export function renderIssues(issues: readonly Issue[]): string {
  return issues.map(({ path, message }) => (path === '' ? message : `${shorten(path, MAX_PATH)} ${message}`)).join('; ')
}

/** Shortens a string to at most `limit` characters. A shortened string ends with `…`. */
export function shorten(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit - 1)}…`
}
