/** A model that answers the same request from memory. */
import { DeltaCollector, type LM, type LMDelta, type LMOptions, type LMRequest, type LMResponse } from '@x/adapters'
import type { CacheStore } from './cache-store.ts'
import { createMemoryStore } from './memory-store.ts'
import { orAbort } from './or-abort.ts'
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
 * Keeps a response that came to its end without an error, and gives it again, as a stream too. The same request asked again while
 * it is under way is sent once; it is aborted when all who wait for it have left.
 */
export function withCache(lm: LM, { store = createMemoryStore(), key = requestDigest }: CacheOptions = {}): Required<LM> {
  const running = new Map<string, SharedRun>()

  function runFor(name: string, request: LMRequest, stream: boolean): SharedRun {
    const known = running.get(name)
    if (known !== undefined) return known
    const run: SharedRun = new SharedRun(
      async (signal, say) => {
        const kept = await store.get(name)
        if (kept !== undefined) return kept
        const ask =
          stream && lm.stream !== undefined ? collect(lm.stream(request, { signal }), say) : lm.generate(request, { signal })
        const response = await ask
        if (isWhole(response)) await store.set(name, response)
        return response
      },
      () => running.get(name) === run && running.delete(name),
    )
    running.set(name, run)
    return run
  }

  return {
    async generate(request, { signal }: LMOptions = {}) {
      const name = await orAbort(key(request), signal)
      return runFor(name, request, false).response(signal)
    },
    async *stream(request, { signal }: LMOptions = {}) {
      const name = await orAbort(key(request), signal)
      yield* runFor(name, request, true).deltas(signal)
    },
  }
}

async function collect(deltas: AsyncIterable<LMDelta>, say: (delta: LMDelta) => void): Promise<LMResponse> {
  const collector = new DeltaCollector()
  for await (const delta of deltas) {
    collector.push(delta)
    say(delta)
  }
  return collector.response()
}

/** Not one that was cut off, refused or went wrong: the next try may do better. */
function isWhole({ error, finish = 'stop', toolCalls, unreadCalls = [] }: LMResponse): boolean {
  const isEnd = finish === 'stop' || finish === 'tool-calls'
  return error === undefined && isEnd && unreadCalls.length === 0 && !toolCalls.some(({ truncated }) => truncated)
}
