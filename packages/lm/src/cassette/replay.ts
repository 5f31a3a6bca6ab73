/** A model that returns recorded replies without sending any request. */
import { collectDeltas, type LM, type LMDelta, type LMRequest, type LMResponse, toDeltas } from '@x/adapters'
import { LMError } from '../errors.ts'
import { copyingRequests } from '../identity.ts'
import { throwIfAborted } from '../until-aborted.ts'
import { toSortedJson } from '../wrappers/request-digest.ts'
import { differencesOf } from './differences.ts'
import { type Exchange, redactedRequest, toError } from './exchange.ts'
import { readCassette } from './file.ts'
import { checkCassetteOptions, type RecordOptions } from './record.ts'

export interface ReplayOptions extends RecordOptions {
  /**
   * How requests are matched with recorded ones. `order`: in the order in which they were recorded. `request`: each request gets
   * the first equal one that hasn't been replayed; use this for programs that send requests concurrently. Default: `order`.
   */
  readonly match?: 'order' | 'request' | undefined
}

export interface ReplayedLM extends Required<LM> {
  /** Throws `cassette_drift` if some recorded requests haven't been replayed. */
  assertDone(): void
}

/**
 * Creates a model from a file that `recordLM` has written. Each recorded reply is returned once, as a response, the deltas of a
 * stream, or an error. `generate` and `stream` both accept either kind of recorded reply. Rejects with `cassette_drift` and a
 * list of differences if a request differs from the recorded one. Pass the same `redact` function that was used for recording.
 * Throws `invalid_cassette` if the file isn't a complete cassette, and `TypeError` for an invalid argument.
 */
export function replayLM(file: string, options: ReplayOptions = {}): ReplayedLM {
  const redact = checkCassetteOptions('replayLM', file, options)
  const { match = 'order' } = options
  if (match !== 'order' && match !== 'request')
    throw new TypeError(`replayLM: match must be 'order' or 'request', got ${JSON.stringify(match)}.`)
  const left = readCassette(file).map(({ request, reply }, index) => {
    // An earlier release may have recorded the file and redacted less.
    const exchange = { request: redactedRequest(request, redact), reply }
    return { exchange, number: index + 1, text: toSortedJson(exchange.request) }
  })
  const recorded = left.length
  let sent = 0

  function next(request: LMRequest): Exchange {
    sent++
    const received = redactedRequest(request, redact)
    const text = toSortedJson(received)
    const position = match === 'order' ? 0 : left.findIndex((one) => one.text === text)
    const [found] = position === -1 ? [] : left.splice(position, 1)
    if (found?.text === text) return found.exchange
    const one = found ?? nearest(received)
    if (one === undefined) throw drift(`the program sent request ${sent}, but ${file} has only ${recorded}.`)
    const lines = differencesOf(one.exchange.request, received)
    const which = match === 'order' ? 'the recorded one' : `each unused request. The most similar one is request ${one.number}`
    throw drift(`request ${sent} differs from ${which} in ${file}:\n${lines.join('\n')}`, '\n')
  }

  function nearest(received: LMRequest) {
    const distance = ({ exchange }: { exchange: Exchange }) => differencesOf(exchange.request, received).length
    return left.length === 0 ? undefined : left.reduce((best, one) => (distance(one) < distance(best) ? one : best))
  }

  const { generate, stream } = copyingRequests(undefined, {
    async generate(request, { signal } = {}): Promise<LMResponse> {
      throwIfAborted(signal)
      const { response, deltas = [], error, left: isLeft } = next(request).reply
      if (error !== undefined) throw toError(error)
      if (isLeft) throw drift(LEFT)
      return response ?? collectDeltas(deltas)
    },
    async *stream(request, { signal } = {}): AsyncGenerator<LMDelta> {
      throwIfAborted(signal)
      const { response, deltas, error, left: isLeft } = next(request).reply
      for (const delta of deltas ?? (response ? toDeltas(response) : [])) {
        yield delta
        throwIfAborted(signal)
      }
      if (error !== undefined) throw toError(error)
      if (isLeft) throw drift(LEFT)
    },
  })
  return {
    generate,
    stream,
    assertDone() {
      if (left.length > 0) throw drift(`only ${recorded - left.length} of the ${recorded} requests in ${file} were sent.`)
    },
  }
}

const LEFT = 'the recorded stream ends here, because the program stopped reading it.'

function drift(fault: string, gap = ' '): LMError {
  return new LMError('cassette_drift', `replayLM: ${fault}${gap}Undo the change to the program, or record again with recordLM.`)
}
