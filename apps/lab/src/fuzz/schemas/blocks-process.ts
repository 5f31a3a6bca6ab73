/** The child process of the `blocks` target: checks pairs of a random schema and a value one by one, and reports each. */
import { validate } from '@x/tool-core'
import { startProcessorClock } from '../../start-clock.ts'
import { createRandom } from '../random.ts'
import type { Block, BlocksTask } from './blocks.ts'
import { randomArguments, randomSchema } from './random-schema.ts'

process.once('message', ({ seed, from, pairs }: BlocksTask) => void checkAll(seed, from, pairs))

async function checkAll(seed: number, from: number, pairs: number): Promise<void> {
  // Loads lazy modules in advance, because loading isn't part of a check.
  await validate({ type: 'object' }, {})
  for (let pair = from; pair < pairs; pair++) {
    const random = createRandom(seed + pair)
    const [schema, value] = [randomSchema(random), randomArguments(random)]
    const ms = await longestBlock(async () => {
      // The first use compiles the schema.
      await validate(schema, value)
      await validate(schema, value)
    })
    const block: Block = { pair, ms }
    await new Promise((resolve) => process.send?.(block, resolve))
  }
  process.disconnect()
}

/** Resolves to the longest time between two turns of the event loop, in milliseconds. */
async function longestBlock(work: () => Promise<void>): Promise<number> {
  let longest = 0
  let isOver = false
  let elapsed = startProcessorClock()
  work().then(
    () => {
      isOver = true
    },
    // A stack overflow also counts as a result.
    () => {
      isOver = true
    },
  )
  for (;;) {
    longest = Math.max(longest, elapsed())
    if (isOver) return longest
    elapsed = startProcessorClock()
    await new Promise((resolve) => setImmediate(resolve))
  }
}
