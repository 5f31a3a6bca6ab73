/** Losses: parts of a request that a wire format can't express. Shared by schemas, messages and settings. */

/**
 * What happens to a part of a request that an API doesn't support:
 * - `kept`: sent, although the provider is known to ignore it.
 * - `moved_to_description`: sent as text that the model reads.
 * - `widened`: the API accepts more values than intended. `restore` or validation corrects this afterwards.
 * - `replaced`: the nearest value that the model accepts is sent.
 * - `assumed`: the model isn't in the table of facts, so a default is used.
 * - `dropped`: not sent.
 * - `refused`: a requested mode, such as strict mode or a forced choice, isn't used.
 */
export type LossAction = 'kept' | 'moved_to_description' | 'widened' | 'replaced' | 'assumed' | 'dropped' | 'refused'

export interface Loss {
  /** JSON pointer into a tool's parameters, or into the request (`/settings/seed`). */
  readonly path: string
  /** The schema keyword, or the name of the lost field. */
  readonly keyword: string
  readonly action: LossAction
  /** Name of the tool, if `path` points into a tool's parameters. */
  readonly tool?: string | undefined
  /** Additional details. */
  readonly note?: string | undefined
}
