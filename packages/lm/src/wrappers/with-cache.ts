/** Caches a model's responses. */
import { DeltaCollector, type LM, type LMDelta, type LMOptions, type LMRequest, type LMResponse } from '@x/adapters'
import { assertFunction, assertLM, assertObject, kindOf } from '../check-options.ts'
import { copyingRequests, identityOf } from '../identity.ts'
import { untilAborted } from '../until-aborted.ts'
import { deepFreeze } from './deep-freeze.ts'
import { type CacheStore, createMemoryStore } from './memory-store.ts'
import { digestOf } from './request-digest.ts'
import { SharedRequest } from './shared-request.ts'

export interface CacheOptions {
  /** Store for the responses. Default: a store in memory that keeps the 500 most recently used ones. */
  readonly store?: CacheStore | undefined
  /** Returns the cache key of a request. Default: a digest of the request and of the model's API, address and name. */
  readonly key?: ((request: LMRequest) => string | Promise<string>) | undefined
}

/**
 * Caches responses of `generate` and `stream` that completed without an error or a refusal. Identical requests that run at the
 * same time are sent once; that request is aborted when all of its callers have left. All callers get the same frozen response.
 * It has no `raw`, which isn't cached. Throws `TypeError` for a custom model with a `store` but no `key`, because its replies
 * couldn't be told apart from another model's.
 */
export function withCache(lm: LM, options: CacheOptions = {}): Required<LM> {
  assertLM('withCache', lm)
  const identity = identityOf(lm)
  assertObject('withCache', 'options', options, '{ store, key }')
  assertFunction('withCache', 'key', options.key)
  if (options.store !== undefined && !isStore(options.store)) throw new TypeError(noStore(options.store))
  if (options.store !== undefined && options.key === undefined && identity === undefined) throw new TypeError(NO_KEY)
  const { store = createMemoryStore(), key = (request) => digestOf([identity ?? '', request]) } = options
  const running = new Map<string, SharedRequest>()

  function shared(name: string, request: LMRequest, stream: boolean): SharedRequest {
    const known = running.get(name)
    if (known !== undefined) return known
    const made: SharedRequest = new SharedRequest(
      async (signal, onDelta) => {
        const kept = await store.get(name)
        if (kept !== undefined) return share(kept)
        const deltas = stream ? lm.stream?.(request, { signal }) : undefined
        const response = share(deltas ? await collect(deltas, onDelta) : await lm.generate(request, { signal }))
        if (isWhole(response, deltas !== undefined)) await store.set(name, response)
        return response
      },
      () => running.get(name) === made && running.delete(name),
    )
    running.set(name, made)
    return made
  }

  async function nameFor(request: LMRequest, signal: AbortSignal | undefined): Promise<string> {
    const name: unknown = await untilAborted(key(request), signal)
    // Without a text as the key, different requests would share one reply.
    if (typeof name !== 'string') throw new TypeError(noText(name))
    return name
  }

  return copyingRequests(identity, {
    async generate(request, { signal }: LMOptions = {}) {
      return shared(await nameFor(request, signal), request, false).response(signal)
    },
    async *stream(request, { signal }: LMOptions = {}) {
      yield* shared(await nameFor(request, signal), request, true).deltas(signal)
    },
  })
}

function isStore(store: Partial<CacheStore> | null): boolean {
  return typeof store?.get === 'function' && typeof store.set === 'function'
}

function noStore(given: unknown): string {
  return `withCache: store must be { get(key), set(key, response) }, or createMemoryStore(), got ${kindOf(given)}.`
}

function noText(given: unknown): string {
  return `withCache: key must return a string, got ${kindOf(given)}. Write e.g. key: (request) => JSON.stringify(request).`
}

const NO_KEY =
  "withCache: this model can't be identified, and a store may contain replies of several models. " +
  "Pass a key that identifies it, e.g. key: (request) => JSON.stringify(['my-model', request])."

async function collect(deltas: AsyncIterable<LMDelta>, onDelta: (delta: LMDelta) => void): Promise<LMResponse> {
  const collector = new DeltaCollector()
  for await (const delta of deltas) {
    collector.push(deepFreeze(delta))
    onDelta(delta)
  }
  return collector.response()
}

function share({ raw: _raw, ...response }: LMResponse): LMResponse {
  return deepFreeze(response)
}

/**
 * Returns false for a response that was truncated, refused or failed, because another attempt may succeed. A stream is complete
 * only if it has a finish reason.
 */
function isWhole({ error, refusal, finishReason, toolCalls, malformedCalls = [] }: LMResponse, isStreamed: boolean): boolean {
  const isEnd = finishReason === undefined ? !isStreamed : finishReason === 'stop' || finishReason === 'tool-calls'
  const isCut = malformedCalls.length > 0 || toolCalls.some(({ truncated }) => truncated)
  return isEnd && !isCut && error === undefined && !refusal
}
