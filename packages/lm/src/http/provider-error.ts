/** Converts an error that a provider sent in a reply or a stream to an `LMError`. */
import type { ProviderError } from '@x/adapters'
import { LMError } from '../errors.ts'
import { isPassing } from './retryable.ts'

/** Where the error comes from, and how to quote its text safely. */
export interface Reporter {
  readonly name: string
  quote(words: string): string
}

/** Creates a `provider_error`. It's retryable if its code is known to mean a transient error. */
export function providerError({ message, code }: ProviderError, reporter: Reporter): LMError {
  return new LMError('provider_error', `${reporter.name} reported an error: ${reporter.quote(message)}`, {
    providerCode: code === undefined ? undefined : reporter.quote(code),
    retryable: isPassing(code),
  })
}
