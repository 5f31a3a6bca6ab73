import { expect, it } from 'vitest'
import { OrderedEngine } from '../../test/ordered-engine.ts'
import type { RunFunction } from './engine.ts'
import { playRun } from './play-run.ts'

const next = async (make: () => Promise<string>) => await make()
const receive = () => new Promise<never>(() => {})

it.each(['never returns', 'converts its error'])('a function that %s frees its slot once its run is stopped', async (kind) => {
  const controller = new AbortController()
  const reason = new Error('stopped')
  const played = playRun(
    async (_: number, { steps, signal }) => {
      if (kind === 'never returns') return await steps.run('a', () => new Promise(() => {}))
      return await new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new TypeError('something else')))
      })
    },
    1,
    { id: 'run', signal: controller.signal, next, receive },
  )
  setTimeout(() => controller.abort(reason), 5)
  await expect(played).rejects.toBe(reason)
})

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
/** Functions with one branch that waits, and another that continues at once or after a step. */
const branches: { readonly [Kind in 'at once' | 'behind a step']: RunFunction<number, unknown> } = {
  'at once': (_, { steps }) => Promise.all([chain(steps, 2), steps.wait('go')]),
  'behind a step': (_, { steps }) => Promise.all([chain(steps, 3), steps.run('x', async () => 1).then(() => steps.wait('go'))]),
}
async function chain(steps: Parameters<RunFunction<number, unknown>>[1]['steps'], length: number) {
  const given: number[] = []
  for (let index = 0; index < length; index++) {
    given.push(await steps.run(`a${index}`, () => sleep(index).then(() => index)))
    await null
  }
  return given
}

it.each(['at once', 'behind a step'] as const)(
  'requests the same records when a branch continues beside one that waits %s',
  async (kind) => {
    for (let round = 0; round < (process.env.X_FULL ? 150 : 50); round++) {
      const engine = new OrderedEngine()
      engine.decisions.set('go', 'gone')
      let played: Awaited<ReturnType<typeof engine.play>>
      for (let crashes = 0; played === undefined; crashes++) {
        engine.crashAfter = crashes < 6 ? crashes % 3 : Number.POSITIVE_INFINITY
        played = await engine.play(branches[kind])
      }
      expect(played.output).toEqual([kind === 'at once' ? [0, 1] : [0, 1, 2], 'gone'])
    }
  },
)
