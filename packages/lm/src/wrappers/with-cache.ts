/** A model that answers the same request from memory. */
import { DeltaCollector, type LM, type LMDelta, type LMOptions, type LMRequest, type LMResponse } from '@x/adapters'
import { orAbort } from '../http/or-abort.ts'
import { asAsked } from './as-asked.ts'
import type { CacheStore } from './cache-store.ts'
import { deepFreeze } from './deep-freeze.ts'
import { createMemoryStore } from './memory-store.ts'
import { requestDigest } from './request-digest.ts'
import { SharedRun } from './shared-run.ts'

export interface CacheOptions {
  /** The latest 500 responses in memory unless told. */
  readonly store?: CacheStore | undefined
  /**
   * Under what a response is kept: `requestDigest` unless told. It says nothing of the model, so models that share a store need a
   * key of their own each.
   */
  readonly key?: ((request: LMRequest) => string | Promise<string>) | undefined
}

/**
 * Keeps a response that came to its end without an error or a refusal, and gives it again, as a stream too. The same request asked
 * again while it is under way is sent once; it is aborted when all who wait for it have left. All get the same response: it is
 * frozen, and has no `raw`, which only some of them would get.
 */
export function withCache(lm: LM, { store = createMemoryStore(), key = requestDigest }: CacheOptions = {}): Required<LM> {
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

  return asAsked({
    async generate(request, { signal }: LMOptions = {}) {
      const name = await orAbort(key(request), signal)
      return runFor(name, request, false).response(signal)
    },
    async *stream(request, { signal }: LMOptions = {}) {
      const name = await orAbort(key(request), signal)
      yield* runFor(name, request, true).deltas(signal)
    },
  })
}

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
