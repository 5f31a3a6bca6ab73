/** Tests the suite: if a fault is planted in a correct engine or in its steps, a suitable case fails. */
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

const KEYS = 'step keys and decision names may be long or empty, and every character counts'
const changed = new Map<string, unknown>()

const FAULTS: readonly Fault[] = [
  {
    name: 'a step is executed again whenever the function is called',
    steps: () => ({ run: (_, execute) => execute() }),
    noticedBy: 'a run waits for a decision, lists it, and continues with it without repeating a step',
  },
  {
    name: 'a step without a value returns null',
    steps: (steps) => ({ run: async (key, execute) => (await steps.run(key, execute)) ?? (null as never) }),
    noticedBy: 'inputs, steps and outputs are preserved with unusual keys and characters',
  },
  {
    name: 'a key that is not a string is converted to one',
    steps: (steps) => ({
      run: (key, execute) => steps.run(String(key), execute),
      wait: (key, about) => steps.wait(String(key), about),
    }),
    noticedBy: 'a key or name that is not a string is refused without affecting other runs',
  },
  {
    name: 'a second step with the same key is recorded under another key',
    steps(steps) {
      const counts = new Map<string, number>()
      const unique = (key: string) => {
        const count = counts.get(key) ?? 0
        counts.set(key, count + 1)
        return count === 0 ? key : `${key}#${count}`
      }
      return { run: (key, execute) => steps.run(unique(key), execute) }
    },
    noticedBy: 'concurrent steps start immediately, and a second one with the same key is refused',
  },
  {
    name: 'the error of a step loses its code',
    steps: (steps) => ({
      run: (key, execute) => steps.run(key, execute).catch((cause: Error) => Promise.reject(new Error(cause.message))),
    }),
    noticedBy: 'a failed step can be requested again and is executed again',
  },
  {
    name: 'the key of a decision is changed',
    steps: (steps) => ({ wait: (key, about) => steps.wait(`${key}-again`, about) }),
    noticedBy: 'a run waits for a decision, lists it, and continues with it without repeating a step',
  },
  {
    name: 'the request for a decision is lost',
    steps: (steps) => ({ wait: (key) => steps.wait(key) }),
    noticedBy: 'a run waits for a decision, lists it, and continues with it without repeating a step',
  },
  {
    name: 'the value of a step becomes text',
    steps: (steps) => ({ run: async (key, execute) => String(await steps.run(key, execute)) as never }),
    noticedBy: 'inputs, steps and outputs are preserved with unusual keys and characters',
  },
  {
    name: 'the request for a decision becomes text',
    steps: (steps) => ({ wait: (key, about) => steps.wait(key, JSON.stringify(about)) }),
    noticedBy: 'a run waits for a decision, lists it, and continues with it without repeating a step',
  },
  {
    name: 'a step first returns what its record does not hold',
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
    noticedBy:
      'a step first returns what it will return on replay: -0 is kept, undefined properties and later changes are dropped',
  },
  {
    name: 'an invalid result of a step is left out',
    steps: (steps) => ({ run: (key, execute) => steps.run(key, execute).catch(() => undefined as never) }),
    noticedBy: 'an invalid id, input, output or step result is refused with its code',
  },
  {
    name: 'a cancelled run executes its next step',
    steps: (steps) => ({ run: (key, execute) => steps.run(key, execute).catch(() => execute()) }),
    noticedBy: 'cancelling a run aborts its signal, starts no new steps, and ends the run',
  },
  {
    name: 'a step returns the same object again, with what the function has changed in it',
    steps: (steps) => ({
      async run(key, execute) {
        if (!changed.has(execute.toString())) changed.set(execute.toString(), await steps.run(key, execute))
        return changed.get(execute.toString()) as never
      },
    }),
    noticedBy:
      'a step first returns what it will return on replay: -0 is kept, undefined properties and later changes are dropped',
  },
  {
    name: 'a failed step fails again without being executed',
    steps(steps) {
      const failures = new Map<string, unknown>()
      return {
        async run(key, execute) {
          if (failures.has(key)) throw failures.get(key)
          return await steps.run(key, execute).catch((cause) => {
            failures.set(key, cause)
            throw cause
          })
        },
      }
    },
    noticedBy: 'a failed step can be requested again and is executed again',
  },
  {
    name: 'a wait without a decision returns null',
    steps: (steps) => ({ wait: (key, about) => steps.wait(key, about).catch(() => null) }),
    noticedBy: 'a run waits for a decision, lists it, and continues with it without repeating a step',
  },
  ...Object.entries({
    'are cut after 20 characters': (key: string) => key.slice(0, 20),
    'lose their capitals': (key: string) => key.toLowerCase(),
    'lose their spaces': (key: string) => key.replaceAll(' ', ''),
    'are replaced if they are empty': (key: string) => key || 'x',
  }).flatMap(([what, change]): readonly Fault[] => [
    {
      name: `keys of steps ${what}`,
      steps: (steps) => ({ run: (key, execute) => steps.run(change(key), execute) }),
      noticedBy: KEYS,
    },
    {
      name: `names of decisions ${what}`,
      steps: (steps) => ({ wait: (key, about) => steps.wait(change(key), about) }),
      noticedBy: KEYS,
    },
  ]),
  {
    name: 'the state of a waiting run is running',
    engine: (engine) => ({
      async status(id) {
        const status = await engine.status(id)
        return status?.state === 'waiting' ? { ...status, state: 'running' } : status
      },
    }),
    noticedBy: 'a run waits for a decision, lists it, and continues with it without repeating a step',
  },
  {
    name: 'an output that is asked for later loses the spaces around it',
    engine: (engine) => ({
      async result(id, options) {
        const output = await engine.result(id, options)
        return typeof output === 'string' ? output.trim() : output
      },
    }),
    noticedBy: 'inputs, steps and outputs are preserved with unusual keys and characters',
  },
  {
    name: 'a run without an output returns null',
    engine: (engine) => ({ run: async (id, input) => (await engine.run(id, input)) ?? null }),
    noticedBy: 'input and output may be undefined',
  },
  {
    name: 'the status of a finished run has no output',
    engine: (engine) => ({
      async status(id) {
        const { output, ...status } = (await engine.status(id)) ?? never()
        return status
      },
    }),
    noticedBy: 'a run returns its output, also when asked again later, and is executed only once',
  },
  {
    name: 'another input under a known id is treated as the first one',
    engine: (engine) => ({ run: (id, input) => engine.run(id, input).catch(() => engine.result(id)) }),
    noticedBy: 'the same id with another input is refused, and the first run is kept',
  },
  {
    name: 'an invalid id is repaired',
    engine: (engine) => ({ start: (id, input) => engine.start(String(id).trim() || 'x', input) }),
    noticedBy: 'an invalid id, input, output or step result is refused with its code',
  },
  {
    name: 'ids lose their capitals',
    engine: (engine) => ({ run: (id, input) => engine.run(id.toLowerCase(), input) }),
    noticedBy: 'an id may have 200 characters and is case-sensitive',
  },
  {
    name: 'a caller that stops waiting gets another reason',
    engine: (engine) => ({
      result: (id, options) => engine.result(id, options).catch(() => Promise.reject(new Error('aborted'))),
    }),
    noticedBy: 'waiting for a run can be aborted at once, and the run continues',
  },
  {
    name: 'the failure of a run loses its code',
    engine: (engine) => ({
      run: (id, input) => engine.run(id, input).catch((cause: Error) => Promise.reject(new Error(cause.message))),
    }),
    noticedBy: 'a failed run has ended, and every process receives its failure',
  },
  {
    name: 'a run that was never started is cancelled',
    engine: (engine) => ({ cancel: (id) => engine.cancel(id).catch(() => {}) }),
    noticedBy: 'cancelling a run aborts its signal, starts no new steps, and ends the run',
  },
  {
    name: 'another decision is silently accepted',
    engine: (engine) => ({ signal: (id, name, value) => engine.signal(id, name, value).catch(() => {}) }),
    noticedBy:
      'a decision is final: repeating it is allowed and changing it is refused, before and after the run has received it',
  },
  {
    name: 'a decision for an ended run is silently accepted',
    engine: (engine) => ({ signal: (id, name, value) => engine.signal(id, name, value).catch(() => {}) }),
    noticedBy: 'a waiting run can be cancelled',
  },
  {
    name: 'a removed run stays',
    engine: () => ({ remove: async () => {} }),
    noticedBy: 'an ended run can be removed, and its id is then free for another run with its own steps and decisions',
  },
  {
    name: 'runs are listed in the order in which they were started',
    engine: (engine) => ({ list: async (options) => [...(await engine.list(options))].reverse() }),
    noticedBy: 'runs are listed newest first, by state and up to a limit',
  },
]

describe('a planted fault', () => {
  it.each(FAULTS)('is detected: $name', async ({ noticedBy, ...fault }) => {
    await expect(caseNamed(noticedBy, fault).run()).rejects.toThrow()
  })

  it.each([...new Set(FAULTS.map(({ noticedBy }) => noticedBy))])(
    'is the only fault that this case detects: %s',
    async (name) => {
      await expect(caseNamed(name, {}).run()).resolves.not.toThrow()
    },
  )
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
    health: () => engine.health(),
    stats: () => engine.stats(),
    cancel: (id) => engine.cancel(id),
    retry: (id) => engine.retry(id),
    remove: (id) => engine.remove(id),
    close: () => engine.close(),
    [Symbol.asyncDispose]: () => engine.close(),
  }
}
