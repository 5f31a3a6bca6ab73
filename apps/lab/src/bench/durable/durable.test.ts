/** Tests the subjects that need no server: they do the work, on disk where required, and a subject that doesn't is detected. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { stepClocks } from '../../../test/bench/clocks.ts'
import { durable } from './durable.ts'
import { runLoop } from './durable-loop.ts'
import { DurableScript, type Message } from './durable-script.ts'
import { readServers } from './durable-servers.ts'
import { type DurableSubject, openDurable } from './durable-workload.ts'

const folder = mkdtempSync(join(tmpdir(), 'durable-bench-'))
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))

/** Number of steps in the cases that don't have 41. */
const UNITS: Readonly<Record<string, number>> = { '4 reads at once': 101, '4 writes at once': 101, '100 runs at once': 1100 }

for (const name of ['bare', 'files by hand', '@x/durable files']) {
  it.each(durable.cases)(`${name} does %s`, async (caseName) => {
    const workload = await openCase(name, caseName)
    await workload.verify()
    await workload.run()
    expect(workload.units).toBe(UNITS[caseName] ?? 41)
  })
}

it('measures the functions of runs', async () => {
  stepClocks({ cpu: 41, wall: 410 })
  const workload = await openCase('bare', 'reads')
  expect([workload.units, await workload.sample?.()]).toEqual([41, { cpu: 1_000, wall: 10_000 }])
})

it.each(['dbos by hand', '@x/durable dbos', 'restate by hand', '@x/durable restate'])(
  '%s is skipped with a reason without a server',
  async (name) => {
    await expect(openCase(name, 'reads')).rejects.toThrow('Skipped: no server was started.')
  },
)

it('names the subjects and cases of its goals, which are measured in wall time', () => {
  for (const { cell, over, by } of durable.goals) {
    expect(by).toBe('wall')
    expect(durable.subjects.map(({ name }) => name)).toEqual(expect.arrayContaining([cell.subject, over.subject]))
    expect(durable.cases).toContain(cell.case)
  }
})

const CHEATS: readonly [string, DurableSubject, string][] = [
  ['records nothing', cheat({ recorded: '' }), 'call_1 was not recorded'],
  ['records no results', cheat({ recorded: '"call_1" "call_2" Done.' }), 'the result of call_1 was not recorded'],
  ['forgets a turn', cheat({ stopAfter: 1 }), 'the tool was executed 1 times'],
  ['shows the model no results', cheat({ hidesResults: true }), 'the model was not shown 70000001'],
]

it.each(CHEATS)('rejects a subject that %s', async (_, subject, problem) => {
  const workload = await openDurable(subject, work(new DurableScript(2, 1)))
  await expect(workload.verify()).rejects.toThrow(problem)
})

it('rejects a run whose function was called again', async () => {
  const twice: DurableSubject = {
    async open({ script, timed }) {
      const run = () => timed(() => runLoop(script, { step: (_, execute) => execute(), all: (all) => Promise.all(all) }))
      return { run: () => timed(run), recorded: async () => undefined, close: async () => {} }
    },
  }
  const workload = await openDurable(twice, work(new DurableScript(2, 1)))
  await expect(workload.run()).rejects.toThrow('of 1 runs were called 2 times')
})

interface Cheat {
  readonly recorded?: string
  readonly stopAfter?: number
  readonly hidesResults?: boolean
}

/** Creates a bare loop that skips one part of the work. */
function cheat({ recorded, stopAfter = 2, hidesResults = false }: Cheat): DurableSubject {
  return {
    async open({ script, timed }) {
      const run = async () => {
        const messages: (Message & Record<string, unknown>)[] = []
        for (let turn = 0; turn < stopAfter; turn++) {
          for (const { id, arguments: text } of script.next(messages).toolCalls) {
            const sum = script.add(JSON.parse(text))
            messages.push({ role: 'tool', ...(hidesResults ? { id } : { id, sum }) })
          }
          messages.push({ role: 'assistant' })
        }
        return stopAfter < 2 ? script.answer : script.next(messages).text
      }
      return { run: () => timed(run), recorded: async () => recorded, close: async () => {} }
    },
  }
}

function work(script: DurableScript) {
  return { script, tools: { add: 'read' }, folder, servers: readServers(folder) } as const
}

async function openCase(name: string, caseName: string) {
  const subject = durable.subjects.find((candidate) => candidate.name === name)
  if (subject === undefined) throw new Error(`There is no subject ${name}.`)
  return await durable.open(subject, caseName, '', folder)
}
