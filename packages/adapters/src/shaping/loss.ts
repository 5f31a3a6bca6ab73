/** What a wire format could not say as it was meant: the one form for schemas, messages and settings. */

/**
 * - `kept`: sent, though the provider is known not to heed it. - `moved_to_description`: the model reads it as words.
 * - `widened`: more is allowed than was meant; `restore` or validation narrows it again. - `dropped`: not sent.
 * - `refused`: a mode that was asked for (strict, a forced choice) is not used.
 */
export type LossAction = 'kept' | 'moved_to_description' | 'widened' | 'dropped' | 'refused'

export interface Loss {
  /** JSON pointer into what was given: a tool's parameters, or the request (`/settings/seed`). */
  readonly path: string
  /** The schema keyword, or the name of what was lost. */
  readonly keyword: string
  readonly action: LossAction
  /** The tool whose parameters `path` points into. */
  readonly tool?: string | undefined
  /** What became of it, where the action alone does not say. */
  readonly note?: string | undefined
}
