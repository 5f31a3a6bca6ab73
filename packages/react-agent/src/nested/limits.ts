/** The limits of calls inside calls, and why a program is stopped. */

import type { CallErrorCode } from '../loop/outcome.ts'
import { nestedDataTooLarge, nondeterministicProgram, tooManyNestedCalls } from '../prompts.ts'
import { MAX_RECORDED } from './nested-steps.ts'

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

export function tooManyCalls(name: string): Stop {
  return { code: 'too_many_nested_calls', message: tooManyNestedCalls(name, MAX_CALLS) }
}

export function tooMuchData(name: string): Stop {
  return { code: 'nested_data_too_large', message: nestedDataTooLarge(name, MAX_RECORDED / 1024 / 1024) }
}

export function otherProgram(name: string, difference: string): Stop {
  return { code: 'nondeterministic_program', message: nondeterministicProgram(name, difference) }
}
