/** What tests use of `@x/lm`, without the types of its wire formats: they are a fifth of what a project may cost. */
import type { LM } from '@x/adapters'

const LM_PACKAGE: string = '@x/lm'

interface Retrying {
  withRetry(lm: LM, options: { retries: number; baseDelayMs: number }): LM
  readonly LMError: new (code: string, message: string, options: { retryable: boolean }) => Error
}

export const { withRetry, LMError } = (await import(/* @vite-ignore */ LM_PACKAGE)) as Retrying
