/** What the options of all engines have in common. */
import { DurableError } from '../errors.ts'
import type { ListOptions } from './engine.ts'

/** A timer cannot be set for longer. */
export const LONGEST_MS = 2_147_483_647
const LIST_LIMIT = 100

/** `creator` is the function that was called. */
export function wrongOption(creator: string, option: string, words: string): DurableError {
  return new DurableError('invalid_options', `${creator}: "${option}" is wrong. ${words}`)
}

/** With the limit that counts. Throws `invalid_options`. */
export function checkListOptions({ state, limit = LIST_LIMIT }: ListOptions): ListOptions & { readonly limit: number } {
  if (!Number.isSafeInteger(limit) || limit < 0) throw wrongOption('list', 'limit', 'Give a whole number from 0 on.')
  return { state, limit }
}

export type Tell = (cause: unknown) => void

/** What is no error of this package yet becomes `engine_failed`. What `onProblem` throws is left. */
export function toTell(onProblem: ((problem: DurableError) => void) | undefined, words: string): Tell {
  if (onProblem === undefined) return () => {}
  return (cause) => {
    const said = cause instanceof Error ? cause.message : String(cause)
    const problem = cause instanceof DurableError ? cause : new DurableError('engine_failed', `${words}: ${said}`, { cause })
    try {
      onProblem(problem)
    } catch {
      // What the callback throws has no other place to go.
    }
  }
}
