/** Records the requests to a model and the replies in a file. */
import type { LM, LMDelta, LMRequest, LMResponse } from '@x/adapters'
import { assertFunction, assertLM, assertObject, kindOf } from '../check-options.ts'
import { copyingRequests, identityOf } from '../identity.ts'
import { streamOf } from '../open-stream.ts'
import { throwIfAborted } from '../until-aborted.ts'
import { type Redact, type Reply, redactedReply, redactedRequest, toRecordedError } from './exchange.ts'
import { CassetteFile } from './file.ts'

export interface RecordOptions {
  /**
   * Removes secrets and changing text, such as dates, before it is recorded. Called for each text and each key. `name` is the key of the
   * text in its object. If the function replaces any text with this name, it also gets the texts and numbers below that key, with the same
   * name. Must return text unchanged that it has already redacted. Default: `redactSecrets` of `@x/adapters/redact`.
   */
  readonly redact?: Redact | undefined
}

/**
 * Wraps a model so that each request and its reply are recorded in `file`, a JSON file for `replayLM`. The first reply replaces
 * an existing file. Replies are returned unchanged, after they have been recorded. The model's errors are recorded and rethrown.
 * A request whose signal is aborted before it is sent isn't recorded. Rejects with `invalid_cassette` if the file can't be
 * written. Throws `TypeError` for an invalid argument.
 */
export function recordLM(lm: LM, file: string, options: RecordOptions = {}): Required<LM> {
  assertLM('recordLM', lm)
  const redact = checkCassetteOptions('recordLM', file, options)
  const cassette = new CassetteFile(file)
  let sent = 0

  /** Starts the exchange of a request. Returns a function that records its reply. */
  function start(request: LMRequest): (reply: Reply) => Promise<void> {
    const number = ++sent
    const recorded = redactedRequest(request, redact)
    return (reply) => cassette.add(number, { request: recorded, reply: redactedReply(reply, redact) })
  }

  return copyingRequests(identityOf(lm), {
    async generate(request, lmOptions) {
      throwIfAborted(lmOptions?.signal)
      const record = start(request)
      let response: LMResponse
      try {
        response = await lm.generate(request, lmOptions)
      } catch (error) {
        await record({ error: toRecordedError(error) })
        throw error
      }
      await record({ response })
      return response
    },
    async *stream(request, lmOptions) {
      throwIfAborted(lmOptions?.signal)
      const record = start(request)
      const deltas: LMDelta[] = []
      let end: Reply = { left: true }
      try {
        for await (const delta of streamOf(lm, request, lmOptions)) {
          deltas.push(delta)
          yield delta
        }
        end = {}
      } catch (error) {
        end = { error: toRecordedError(error) }
        throw error
      } finally {
        await record({ deltas, ...end })
      }
    },
  })
}

/**
 * Validates the arguments of `recordLM` or `replayLM`, and returns the option `redact`. Throws `TypeError` for an invalid one.
 */
export function checkCassetteOptions(owner: string, file: unknown, options: RecordOptions): Redact | undefined {
  if (typeof file !== 'string' || file === '') throw new TypeError(`${owner}: file must be a path, got ${kindOf(file)}.`)
  assertObject(owner, 'options', options, '{ redact }')
  assertFunction(owner, 'redact', options.redact)
  return options.redact
}
