/** Reports part of a request that a wire format couldn't express, with one type for schemas, messages and settings. */

/**
 * - `kept`: sent, but the provider is known to ignore it.
 * - `moved_to_description`: the model reads it as text.
 * - `widened`: the API accepts more than intended; `restore` or validation narrows it again.
 * - `dropped`: not sent.
 * - `refused`: a requested mode (strict, a forced choice) isn't used.
 */
export type LossAction = 'kept' | 'moved_to_description' | 'widened' | 'dropped' | 'refused'

export interface Loss {
  /** JSON pointer into the input: a tool's parameters, or the request (`/settings/seed`). */
  readonly path: string
  /** The schema keyword, or the name of the lost field. */
  readonly keyword: string
  readonly action: LossAction
  /** The tool whose parameters `path` points into. */
  readonly tool?: string | undefined
  /** Details that the action doesn't express. */
  readonly note?: string | undefined
}
