/** The limits of calls inside calls, and why a program is stopped. */

import type { CallErrorCode } from '../loop/outcome.ts'

/** Maximum number of levels of tools that call tools. */
export const MAX_LEVELS = 4

/** Maximum number of calls and questions of one program. */
export const MAX_CALLS = 1_000

/** Why a program is stopped before it returns. Calls that it makes afterwards have no effect. */
export interface Stop {
  readonly code: CallErrorCode | 'timeout' | 'aborted'
  readonly message: string
  /** True if running calls are abandoned. Otherwise they finish and are recorded. */
  readonly isUrgent?: boolean | undefined
}
