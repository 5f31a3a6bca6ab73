/** Reads AWS event streams: binary messages with a length prefix, a checksum and a JSON payload. */

import { missingPackage } from '../../check-options.ts'
import { LMError } from '../../errors.ts'
import type { Host } from '../host.ts'
import { providerError } from '../provider-error.ts'
import { createCutter } from './cut-messages.ts'
import { type FrameReader, MAX_EVENT_LENGTH, parseEvent } from './framing.ts'

/** Headers of a message: https://smithy.io/2.0/aws/amazon-eventstream.html */
type Headers = Readonly<Record<string, { readonly value: unknown } | undefined>>

/**
 * Creates a reader. It yields an event as `{ [':event-type']: payload }`, and an exception as `{ [':exception-type']: payload }`.
 * It throws `provider_error` for a message of type `error`, which no API documents, and `invalid_reply` for a wrong checksum.
 */
export async function createAWSReader(host: Host, maxEventLength: number = MAX_EVENT_LENGTH): Promise<FrameReader> {
  const { EventStreamCodec } = await importCodec()
  const decoder = new TextDecoder()
  const codec = new EventStreamCodec(
    (bytes) => decoder.decode(bytes as Uint8Array),
    (text) => new TextEncoder().encode(text),
  )
  const cutter = createCutter(host, maxEventLength)
  function* read(bytes: Uint8Array): Generator<unknown> {
    for (const message of cutter.push(bytes)) {
      const { headers, body } = decode(message)
      yield toEvent(headers, decoder.decode(body), host)
    }
  }
  function decode(message: Uint8Array): { readonly headers: Headers; readonly body: Uint8Array } {
    try {
      return codec.decode(message)
    } catch (cause) {
      throw new LMError(
        'invalid_reply',
        `${host.name} sent a damaged message in its stream: the checksum or the format is wrong. Check that no proxy changes the reply.`,
        {
          cause,
          retryable: true,
        },
      )
    }
  }
  return {
    push: read,
    end() {
      if (!cutter.isInside) return []
      throw new LMError('invalid_reply', `${host.name} ended the stream in the middle of a message.`, { retryable: true })
    },
    isDone: false,
  }
}

async function importCodec() {
  try {
    return await import('@smithy/eventstream-codec')
  } catch (cause) {
    throw missingPackage('@smithy/eventstream-codec', 'to read Bedrock streams', cause)
  }
}

function toEvent(headers: Headers, text: string, host: Host): unknown {
  const textAt = (name: string) => String(headers[name]?.value ?? '')
  if (textAt(':message-type') === 'error')
    throw providerError({ message: textAt(':error-message'), code: textAt(':error-code') }, host)
  const name = textAt(':message-type') === 'exception' ? textAt(':exception-type') : textAt(':event-type')
  return { [name]: text.trim() === '' ? {} : parseEvent(text, host, false) }
}
