/** Defines validation issues and renders them for a model. */

export interface Issue {
  /** JSON pointer to the part of the value that has the issue. Empty for the value itself. */
  readonly path: string
  /** The JSON Schema keyword that failed. `depth`, `size`, `forbidden` and `too_complex` are limits that apply to every schema. */
  readonly keyword: string
  /** Completes a sentence that starts with the path, e.g. `must be string`. */
  readonly message: string
  /** A short description of valid values, e.g. `integer`, `"a" | "b"` or `at most 5`. */
  readonly expected?: string | undefined
  /**
   * The invalid value, shortened and without recognizable credentials. Shows only the keys of an object, and only the length of a string in
   * place of an object or array. `[redacted]` if the schema has `writeOnly`, or if a key on the path looks secret.
   */
  readonly got?: string | undefined
}

/** Maximum number of issues that are reported for a value. */
export const MAX_ISSUES = 10

/** The result for a valid value. Always the same object. */
export const NO_ISSUES: readonly Issue[] = Object.freeze([])

const MAX_PATH = 200

/** Renders issues on one line for a model: `/city must be string; must have required property 'unit'`. */
export function renderIssues(issues: readonly Issue[]): string {
  return issues.map(({ path, message }) => (path === '' ? message : `${shorten(path, MAX_PATH)} ${message}`)).join('; ')
}

/** Shortens a string to at most `limit` characters. A shortened string ends with `…`. */
export function shorten(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit - 1)}…`
}
