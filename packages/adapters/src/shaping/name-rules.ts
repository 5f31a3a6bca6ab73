/** Which names an API takes, of tools or of properties. */

export interface NameRules {
  /** In UTF-16 units; at least 16, so that a hash fits in. */
  readonly maxLength: number
  /** Matches one legal name whole. The letter `a` may begin a name, `_` may stand anywhere in it. */
  readonly pattern: RegExp
  /** Who says so. */
  readonly source?: string | undefined
}
