/** Faults that were planted in a correct engine and in its steps: a case of the contract notices each, and its name says what is wrong. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Steps } from '@x/react-agent/steps'
import { afterAll, describe, expect, it } from 'vitest'
import type { DurableEngine, RunFunction } from '../engine/engine.ts'
import { createFileEngine } from '../file/file-engine.ts'
import { never } from './case.ts'
import type { ContractHarness } from './harness.ts'
import { contractCases } from './suite.ts'

const root = mkdtempSync(join(tmpdir(), 'planted-faults-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

type Engine = DurableEngine<unknown, unknown>

interface Fault {
  readonly name: string
  readonly steps?: (steps: Steps) => Partial<Steps>
  readonly engine?: (engine: Engine) => Partial<Engine>
  readonly noticedBy: string
}

const FAULTS: readonly Fault[] = [
  {
    name: 'a step is executed again whenever the function is called again',
    steps: () => ({ run: (_, execute) => execute() }),
    noticedBy: 'a run waits for a decision, says for which, and goes on with it; no step is executed again',
  },
  {
    name: 'a step without a value gives null',
    steps: (steps) => ({ run: async (key, execute) => (await steps.run(key, execute)) ?? (null as never) }),
    noticedBy: 'inputs, steps and outputs come back as they were, whatever their keys and characters',
  },
  {
    name: 'a key that is no text becomes text',
    steps: (steps) => ({
      run: (key, execute) => steps.run(String(key), execute),
      wait: (key, about) => steps.wait(String(key), about),
    }),
    noticedBy: 'a key or a name that is no text is refused, and harms no run',
  },
  {
    name: 'a second step of one key is recorded under another one',
    steps(steps) {
      const counts = new Map<string, number>()
      const unique = (key: string) => {
        const count = counts.get(key) ?? 0
        counts.set(key, count + 1)
        return count === 0 ? key : `${key}#${count}`
      }
      return { run: (key, execute) => steps.run(unique(key), execute) }
    },
    noticedBy: 'steps side by side: each begins at once, and a second one of the same key is refused',
  },
  {
    name: 'the error of a step loses its code',
    steps: (steps) => ({
      run: (key, execute) => steps.run(key, execute).catch((cause: Error) => Promise.reject(new Error(cause.message))),
    }),
    noticedBy: 'a step that fails may be asked for again, and is executed again',
  },
  {
    name: 'a decision is waited for under another key',
    steps: (steps) => ({ wait: (key, about) => steps.wait(`${key}-again`, about) }),
    noticedBy: 'a run waits for a decision, says for which, and goes on with it; no step is executed again',
  },
  {
    name: 'what a decision is about is lost',
    steps: (steps) => ({ wait: (key) => steps.wait(key) }),
    noticedBy: 'a run waits for a decision, says for which, and goes on with it; no step is executed again',
  },
  {
    name: 'the value of a step becomes text',
    steps: (steps) => ({ run: async (key, execute) => String(await steps.run(key, execute)) as never }),
    noticedBy: 'inputs, steps and outputs come back as they were, whatever their keys and characters',
  },
  {
    name: 'what a decision is about becomes text',
    steps: (steps) => ({ wait: (key, about) => steps.wait(key, JSON.stringify(about)) }),
    noticedBy: 'a run waits for a decision, says for which, and goes on with it; no step is executed again',
  },
  {
    name: 'a step gives at first what its record does not hold',
    steps: (steps) => ({
      async run(key, execute) {
        let made: { value: Awaited<ReturnType<typeof execute>> } | undefined
        const kept = await steps.run(key, async () => {
          made = { value: await execute() }
          return made.value
        })
        return made === undefined ? kept : made.value
      },
    }),
    noticedBy: 'a step gives at first what it gives again: a negative zero, and nothing of a property without a value',
  },
  {
    name: 'a value of a step that cannot be kept is left out',
    steps: (steps) => ({ run: (key, execute) => steps.run(key, execute).catch(() => undefined as never) }),
    noticedBy: 'what cannot be an id, an input, an output or a step is refused by its code',
  },
  {
    name: 'a cancelled run executes its next step',
    steps: (steps) => ({ run: (key, execute) => steps.run(key, execute).catch(() => execute()) }),
    noticedBy: 'a run that is cancelled begins no further step, hears of it, and is over',
  },
  {
    name: 'a run without an output gives null',
    engine: (engine) => ({ run: async (id, input) => (await engine.run(id, input)) ?? null }),
    noticedBy: 'nothing may be undefined as well: input and output',
  },
  {
    name: 'the status of a finished run has no output',
    engine: (engine) => ({
      async status(id) {
        const { output, ...status } = (await engine.status(id)) ?? never()
        return status
      },
    }),
    noticedBy: 'a run gives its output, also to who asks later, and is executed once',
  },
  {
    name: 'another input under a known id is taken for the first one',
    engine: (engine) => ({ run: (id, input) => engine.run(id, input).catch(() => engine.result(id)) }),
    noticedBy: 'the same id with another input is refused, and the run is the first one',
  },
  {
    name: 'an id that is not allowed is repaired',
    engine: (engine) => ({ start: (id, input) => engine.start(String(id).trim() || 'x', input) }),
    noticedBy: 'what cannot be an id, an input, an output or a step is refused by its code',
  },
  {
    name: 'ids lose their capitals',
    engine: (engine) => ({ run: (id, input) => engine.run(id.toLowerCase(), input) }),
    noticedBy: 'an id may have 200 characters, and capitals are others than small letters',
  },
  {
    name: 'who gives up waiting gets another reason',
    engine: (engine) => ({
      result: (id, options) => engine.result(id, options).catch(() => Promise.reject(new Error('aborted'))),
    }),
    noticedBy: 'waiting for a run may be given up at once, and the run goes on',
  },
  {
    name: 'the failure of a run loses its code',
    engine: (engine) => ({
      run: (id, input) => engine.run(id, input).catch((cause: Error) => Promise.reject(new Error(cause.message))),
    }),
    noticedBy: 'a run that fails is over, and every process hears with what',
  },
  {
    name: 'a run that was never started is cancelled',
    engine: (engine) => ({ cancel: (id) => engine.cancel(id).catch(() => {}) }),
    noticedBy: 'a run that is cancelled begins no further step, hears of it, and is over',
  },
  {
    name: 'another decision is taken in silence',
    engine: (engine) => ({ signal: (id, name, value) => engine.signal(id, name, value).catch(() => {}) }),
    noticedBy: 'a decision stays: the same may be given again, and another is refused, before and after the run has it',
  },
  {
    name: 'a decision for a run that is over is taken in silence',
    engine: (engine) => ({ signal: (id, name, value) => engine.signal(id, name, value).catch(() => {}) }),
    noticedBy: 'a run that waits may be cancelled',
  },
  {
    name: 'runs are listed in the order in which they were started',
    engine: (engine) => ({ list: async (options) => [...(await engine.list(options))].reverse() }),
    noticedBy: 'runs are listed, the newest first, by their state, and no more than asked for',
  },
]

describe('a planted fault', () => {
  it.each(FAULTS)('is noticed: $name', async ({ noticedBy, ...fault }) => {
    await expect(caseNamed(noticedBy, fault).run()).rejects.toThrow()
  })

  it.each([...new Set(FAULTS.map(({ noticedBy }) => noticedBy))])('is all that is wrong: %s', async (name) => {
    await expect(caseNamed(name, {}).run()).resolves.not.toThrow()
  })
})

function caseNamed(name: string, fault: Pick<Fault, 'steps' | 'engine'>) {
  return contractCases(harness(fault)).find((one) => one.name === name) ?? never()
}

function harness(fault: Pick<Fault, 'steps' | 'engine'>): ContractHarness {
  return {
    async open<Input, Output>(store: string, fn?: RunFunction<Input, Output>) {
      const planted = fn && ((input: Input, run: Parameters<RunFunction<Input, Output>>[1]) => fn(input, withFault(run)))
      const engine = await createFileEngine({ folder: join(root, store), fn: planted, lookEveryMs: 50 })
      return { ...methodsOf(engine), ...fault.engine?.(engine as Engine) } as DurableEngine<Input, Output>
    },
    startWorker: never,
    stalled: 'waited for',
    quick: true,
  }

  function withFault<Run extends { readonly steps: Steps }>(run: Run): Run {
    const steps: Steps = { run: (key, execute) => run.steps.run(key, execute), wait: (key, about) => run.steps.wait(key, about) }
    return { ...run, steps: { ...steps, ...fault.steps?.(run.steps) } }
  }
}

function methodsOf<Input, Output>(engine: DurableEngine<Input, Output>): DurableEngine<Input, Output> {
  return {
    run(id, input, options) {
      const result = engine.run(id, input, options)
      // A case that has noticed a fault doesn't wait for the runs that it started.
      result.catch(() => {})
      return result
    },
    start: (id, input) => engine.start(id, input),
    result: (id, options) => engine.result(id, options),
    signal: (id, name, value) => engine.signal(id, name, value),
    status: (id) => engine.status(id),
    list: (options) => engine.list(options),
    cancel: (id) => engine.cancel(id),
    close: () => engine.close(),
    [Symbol.asyncDispose]: () => engine.close(),
  }
}
