/** A thousand tools may have patterns with long proofs. What a proof reads stays in memory until the running task ends. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { Type } from 'typebox'
import { afterEach, expect, it, vi } from 'vitest'
import { defineTool } from '../define/tool.ts'
import { validate } from './validate.ts'
import { nextTask } from './validators/patterns/pattern-engines.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

const TOOLS = 60
/** Limit for all of them together, in bytes. If the task never ended, they would take 130, 80 and 40 MB. */
const MOST_KEPT = 30_000_000

function heapUsed(): number {
  collectGarbage()
  return process.memoryUsage().heapUsed
}

function defineWith(pattern: string): object {
  const args = Type.Object({ name: Type.String({ pattern }) })
  defineTool({ name: 'find_name', description: 'Finds a name.', args, execute: () => '' })
  return args
}

afterEach(() => vi.useRealTimers())

it.each([
  ['that RE2 matches', (n: number) => `^(\\p{L}|ab)*c{${n}}$`],
  ['that RE2 lacks', (n: number) => `^tag${n}-[a-z]+(-[a-z]+)*(?=:):$`],
])(
  '23-3: bounds the memory of proofs for tools that are defined and validated in a row, with patterns %s',
  async (_, patternOf) => {
    vi.useFakeTimers()
    const before = heapUsed()
    for (let n = 1; n <= TOOLS; n++) {
      const args = defineWith(patternOf(n))
      await validate(args, { name: 'é' })
    }
    expect(heapUsed() - before).toBeLessThan(MOST_KEPT)
  },
)

it('23-3: bounds the memory of proofs for tools that are only defined', () => {
  const before = heapUsed()
  for (let n = 1; n <= TOOLS; n++) defineWith(`^tag${n}-[a-z]+(-[a-z]+)*(?=;);$`)
  expect(heapUsed() - before).toBeLessThan(MOST_KEPT)
})

it('analyzes the patterns of tools that are defined in a row only up to a limit, and the others at their first use', async () => {
  const refused = () => defineWith('(a+)\\1+$')
  await nextTask()
  expect(refused).toThrow('may take too long')
  // RE2 takes 60 ms for each of these tools.
  for (let n = 1; n <= TOOLS; n++) {
    const patterns = Array.from({ length: 30 }, (_, index) =>
      Type.String({ pattern: `^(?:[a-z]{10,900}x{10,${60 + index}}y${n})$` }),
    )
    defineTool({
      name: 'find_name',
      description: 'Finds a name.',
      args: Type.Object({ names: Type.Union(patterns) }),
      execute: () => '',
    })
  }
  const args = refused()
  await expect(validate(args, { name: 'b' })).rejects.toThrow('may take too long')
})
