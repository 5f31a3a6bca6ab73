/** Tells whoever watches an engine what goes wrong beside its runs. */
import { DurableError } from '../errors.ts'

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
      // Nobody could be told of it.
    }
  }
}
