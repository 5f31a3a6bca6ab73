/** Streams from any model, and waits for a stream's first content. */
import type { LM, LMDelta, LMOptions, LMRequest } from '@x/adapters'
import { toDeltas } from '@x/adapters'

/** Streams from a model. If it has no `stream` method, yields its response as deltas. */
export async function* streamOf(lm: LM, request: LMRequest, options?: LMOptions): AsyncGenerator<LMDelta> {
  if (lm.stream !== undefined) yield* lm.stream(request, options)
  else yield* toDeltas(await lm.generate(request, options))
}

/**
 * Resolves when the first item with content arrives, or when the stream ends. A failure before that rejects, so the request can
 * still be retried. Consume the returned stream, which includes all items.
 */
export async function openStream<Item>(
  items: AsyncGenerator<Item>,
  hasContent: (item: Item) => boolean,
): Promise<AsyncGenerator<Item>> {
  const first: Item[] = []
  for (;;) {
    const next = await items.next()
    if (next.done === true) break
    first.push(next.value)
    if (hasContent(next.value)) break
  }
  return withFirst(first, items)
}

/** Returns true for a delta with content. Usage and metadata don't count, because some providers send them before an error. */
export function hasContent(delta: LMDelta): boolean {
  return delta.type === 'finish' ? delta.finishReason !== 'error' : !SILENT.has(delta.type)
}

const SILENT: ReadonlySet<LMDelta['type']> = new Set(['usage', 'metadata', 'error'])

async function* withFirst<Item>(first: readonly Item[], rest: AsyncGenerator<Item>): AsyncGenerator<Item> {
  try {
    yield* first
    yield* rest
  } finally {
    await rest.return(undefined)
  }
}
