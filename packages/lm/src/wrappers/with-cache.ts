/** A model that answers the same request from memory. */
import { DeltaCollector, type LM, type LMDelta, type LMOptions, type LMRequest, type LMResponse } from '@x/adapters'
import { assertFunction, assertLM, assertObject } from '../check-options.ts'
import { asAsked, identityOf } from '../identity.ts'
import { untilAborted } from '../until-aborted.ts'
import { deepFreeze } from './deep-freeze.ts'
import { type CacheStore, createMemoryStore } from './memory-store.ts'
import { digestOf } from './request-digest.ts'
import { SharedRun } from './shared-run.ts'

export interface CacheOptions {
  /** The latest 500 responses in memory unless told. */
  readonly store?: CacheStore | undefined
  /** Under what a response is kept: a digest of the model (its API, address and name) and the request unless told. */
  readonly key?: ((request: LMRequest) => string | Promise<string>) | undefined
}

/**
 * Keeps a response that came to its end without an error or a refusal, and gives it again, as a stream too. The same request asked
 * again while it is under way is sent once; it is aborted when all who wait for it have left. All get the same response: it is
 * frozen, and has no `raw`, which only some of them would get. Throws `TypeError` for a store without a key around a model of your own:
 * nobody could tell its replies from another's.
 */
export function withCache(lm: LM, options: CacheOptions = {}): Required<LM> {
  assertLM('withCache', lm)
  const identity = identityOf(lm)
  assertObject('withCache', 'what was given', options, '{ store, key }')
  assertFunction('withCache', 'key', options.key)
  if (options.store !== undefined && !isStore(options.store)) throw new TypeError(NO_STORE)
  if (options.store !== undefined && options.key === undefined && identity === undefined) throw new TypeError(NO_KEY)
  const { store = createMemoryStore(), key = (request) => digestOf([identity ?? '', request]) } = options
  const running = new Map<string, SharedRun>()

  function runFor(name: string, request: LMRequest, stream: boolean): SharedRun {
    const known = running.get(name)
    if (known !== undefined) return known
    const run: SharedRun = new SharedRun(
      async (signal, say) => {
        const kept = await store.get(name)
        if (kept !== undefined) return share(kept)
        const deltas = stream ? lm.stream?.(request, { signal }) : undefined
        const response = share(deltas ? await collect(deltas, say) : await lm.generate(request, { signal }))
        if (isWhole(response, deltas !== undefined)) await store.set(name, response)
        return response
      },
      () => running.get(name) === run && running.delete(name),
    )
    running.set(name, run)
    return run
  }

  async function nameFor(request: LMRequest, signal: AbortSignal | undefined): Promise<string> {
    const name: unknown = await untilAborted(key(request), signal)
    // Two requests without a key would have one reply.
    if (typeof name !== 'string') throw new TypeError(NO_TEXT)
    return name
  }

  return asAsked(identity, {
    async generate(request, { signal }: LMOptions = {}) {
      return runFor(await nameFor(request, signal), request, false).response(signal)
    },
    async *stream(request, { signal }: LMOptions = {}) {
      yield* runFor(await nameFor(request, signal), request, true).deltas(signal)
    },
  })
}

function isStore(store: Partial<CacheStore> | null): boolean {
  return typeof store?.get === 'function' && typeof store.set === 'function'
}

const NO_STORE = 'withCache: store is no store. Write { get(key), set(key, response) }, or use createMemoryStore().'

const NO_TEXT = 'withCache: key gave no text for a request. Write e.g. key: (request) => JSON.stringify(request).'

const NO_KEY =
  'withCache: a store may hold the replies of several models, and it is not known which this one is. ' +
  "Give it a key of its own, e.g. key: (request) => JSON.stringify(['my-model', request])."

async function collect(deltas: AsyncIterable<LMDelta>, say: (delta: LMDelta) => void): Promise<LMResponse> {
  const collector = new DeltaCollector()
  for await (const delta of deltas) {
    collector.push(deepFreeze(delta))
    say(delta)
  }
  return collector.response()
}

function share({ raw: _raw, ...response }: LMResponse): LMResponse {
  return deepFreeze(response)
}

/** Not one that was cut off, refused or went wrong: the next try may do better. A stream has its end only where it says so. */
function isWhole({ error, refusal, finish, toolCalls, unreadCalls = [] }: LMResponse, isStreamed: boolean): boolean {
  const isEnd = finish === undefined ? !isStreamed : finish === 'stop' || finish === 'tool-calls'
  const isCut = unreadCalls.length > 0 || toolCalls.some(({ truncated }) => truncated)
  return isEnd && !isCut && error === undefined && !refusal
}
