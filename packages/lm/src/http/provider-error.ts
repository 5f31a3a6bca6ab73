/** An error that a provider sent in a reply or inside a stream, as one that is thrown. */
import type { ProviderError } from '@x/adapters'
import { LMError } from '../errors.ts'
import { isPassing } from './retryable.ts'

/** Who reports the error, and how its words are made fit for a message. */
export interface Reporter {
  readonly name: string
  quote(words: string): string
}

/** A `provider_error`, retryable where its code is known to pass. */
export function providerError({ message, code }: ProviderError, reporter: Reporter): LMError {
  return new LMError('provider_error', `${reporter.name} reported an error: ${reporter.quote(message)}`, {
    providerCode: code === undefined ? undefined : reporter.quote(code),
    retryable: isPassing(code),
  })
}
