/** The parts of `@x/lm` that tests use, without the types of its wire formats, which would use a fifth of the type budget. */
import type { LM } from '@x/adapters'

const LM_PACKAGE: string = '@x/lm'

interface Retrying {
  withRetry(lm: LM, options: { retries: number; baseDelayMs: number }): LM
  readonly LMError: new (code: string, message: string, options: { retryable: boolean }) => Error
}

export const { withRetry, LMError } = (await import(/* @vite-ignore */ LM_PACKAGE)) as Retrying
