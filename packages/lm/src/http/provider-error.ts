/** Converts an error that a provider sent in a successful reply or a stream to an `LMError`. */
import type { ProviderError } from '@x/adapters'
import { LMError } from '../errors.ts'
import { isPassing } from './retryable.ts'

/** The source of an error, and a function that quotes its text without secrets. */
export interface Reporter {
  readonly name: string
  quote(words: string): string
}

/** Creates a `provider_error`. It is retryable if its code is known to be transient. */
export function providerError({ message, code }: ProviderError, reporter: Reporter): LMError {
  return new LMError('provider_error', `${reporter.name} reported an error: ${reporter.quote(message)}`, {
    providerCode: code === undefined ? undefined : reporter.quote(code),
    retryable: isPassing(code),
  })
}
