/** The deltas of any model, and the moment from which they cannot be taken back. */
import type { LM, LMDelta, LMOptions, LMRequest } from '@x/adapters'
import { toDeltas } from '@x/adapters'

/** A model without streams gives its response in whole pieces. */
export async function* streamOf(lm: LM, request: LMRequest, options?: LMOptions): AsyncGenerator<LMDelta> {
  if (lm.stream !== undefined) yield* lm.stream(request, options)
  else yield* toDeltas(await lm.generate(request, options))
}

/**
 * Resolves when an item says something, or the stream is over; until then it can fail without anybody having seen of it. What it
 * resolves with is to be read.
 */
export async function openStream<Item>(
  items: AsyncGenerator<Item>,
  says: (item: Item) => boolean,
): Promise<AsyncGenerator<Item>> {
  const first: Item[] = []
  for (;;) {
    const next = await items.next()
    if (next.done === true) break
    first.push(next.value)
    if (says(next.value)) break
  }
  return withFirst(first, items)
}

/** Usage and metadata say nothing by themselves, and some providers send them before an error. An error is no speech either. */
export function saysSomething(delta: LMDelta): boolean {
  return delta.type === 'finish' ? delta.finish !== 'error' : !SILENT.has(delta.type)
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
