/** Streams from any model, and detects when a stream can't be retried any more. */
import type { LM, LMDelta, LMOptions, LMRequest } from '@x/adapters'
import { toDeltas } from '@x/adapters'

/** Streams from a model. If the model has no `stream`, yields its response in whole pieces. */
export async function* streamOf(lm: LM, request: LMRequest, options?: LMOptions): AsyncGenerator<LMDelta> {
  if (lm.stream !== undefined) yield* lm.stream(request, options)
  else yield* toDeltas(await lm.generate(request, options))
}

/**
 * Resolves when an item has content, or when the stream ends. The consumer can't see a failure before that, so the request can still be
 * retried. Consume the returned stream.
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

/** True for a delta with content. Usage and metadata aren't content, and some providers send them before an error. */
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
