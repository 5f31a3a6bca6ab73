import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { OrderedEngine } from '../../test/ordered-engine.ts'
import { seededRandom } from '../contract/case.ts'
import type { RunFunction } from './engine.ts'

const RUNS = process.env.X_FULL ? 150 : 60

/** One chain of steps. A run's program consists of sequential groups of concurrent chains. */
interface Chain {
  /** Durations of the chain's steps in milliseconds, per execution. */
  readonly steps: readonly number[]
  /** The step that fails once in each execution, if any. The steps after it are executed anyway. */
  readonly fails: number
}
type Group = { readonly chains: readonly Chain[]; readonly waits: number }

const chain = fc.record({ steps: fc.array(fc.nat(3), { minLength: 1, maxLength: 4 }), fails: fc.integer({ min: -3, max: 3 }) })
const group = fc.record({ chains: fc.array(chain, { minLength: 1, maxLength: 4 }), waits: fc.nat(2) })
const program = fc.array(group, { minLength: 1, maxLength: 3 })

interface World {
  /** How often each step was completed. */
  readonly executed: Map<string, number>
  /** The number of the current process. A process that has crashed does nothing more. */
  process: number
}

const random = seededRandom(1)

function toFunction(groups: readonly Group[], world: World): RunFunction<number, readonly unknown[]> {
  return async (_, { steps }) => {
    const seen: unknown[] = []
    for (const [index, { chains, waits }] of groups.entries()) {
      const runChain = async ({ steps: times, fails }: Chain, place: number) => {
        const given: unknown[] = []
        for (const [step, ms] of times.entries()) {
          const key = `${index}-${place}-${step}`
          const execute = async () => {
            const { process } = world
            // The duration differs in each execution.
            await new Promise((resolve) => setTimeout(resolve, ms * random() * 2))
            if (step === fails) throw Object.assign(new Error(`${key} failed`), { code: 'fails' })
            if (process === world.process) world.executed.set(key, (world.executed.get(key) ?? 0) + 1)
            return { key }
          }
          given.push(
            await steps.run(key, execute).catch((cause: { message: string; code: string }) => `${cause.message} (${cause.code})`),
          )
        }
        return given
      }
      seen.push(await Promise.all(chains.map(runChain)))
      for (let wait = 0; wait < waits; wait++) seen.push(await steps.wait(`decision-${index}-${wait}`))
    }
    return seen
  }
}

describe('steps with keys over ordered records', () => {
  it('have the same results, and recorded ones are not repeated, wherever processes crash and however long steps take', async () => {
    let crashes = 0
    await fc.assert(
      fc.asyncProperty(program, fc.array(fc.nat(6), { maxLength: 6 }), async (groups, crashPoints) => {
        const world: World = { executed: new Map(), process: 0 }
        const fn = toFunction(groups, world)
        const engine = new OrderedEngine()
        for (const [index, { waits }] of groups.entries())
          for (let wait = 0; wait < waits; wait++) engine.decisions.set(`decision-${index}-${wait}`, { wait })
        const recorded = () =>
          engine.records.flatMap(({ text }) => [...text.matchAll(/^\{"step":"([^"]+)","value"/gm)].map((match) => match[1]))
        let end: Awaited<ReturnType<typeof engine.play<readonly unknown[]>>>
        for (const crashAfter of [...crashPoints, Number.POSITIVE_INFINITY]) {
          const before = new Map(recorded().map((key) => [key as string, world.executed.get(key as string)]))
          engine.crashAfter = crashAfter
          world.process++
          end = await engine.play(fn)
          if (end === undefined) crashes++
          for (const [key, count] of before) expect({ key, count: world.executed.get(key) }).toEqual({ key, count })
          if (end !== undefined) break
        }
        expect(end?.output).toEqual(await expectedOf(groups))
        // A run that has ended executes nothing again.
        engine.crashAfter = 0
        const total = [...world.executed.values()].reduce((sum, count) => sum + count, 0)
        expect((await engine.play(fn))?.output).toEqual(end?.output)
        expect([...world.executed.values()].reduce((sum, count) => sum + count, 0)).toBe(total)
        expect(new Set(recorded()).size).toBe(recorded().length)
      }),
      { numRuns: RUNS },
    )
    expect(crashes).toBeGreaterThan(RUNS / 2)
  })
})

async function expectedOf(groups: readonly Group[]): Promise<readonly unknown[]> {
  return groups.flatMap(({ chains, waits }, index) => [
    chains.map(({ steps, fails }, place) =>
      steps.map((_, step) =>
        step === fails ? `${index}-${place}-${step} failed (fails)` : { key: `${index}-${place}-${step}` },
      ),
    ),
    ...Array.from({ length: waits }, (_, wait) => ({ wait })),
  ])
}
