/** Tests the loops that need no peer: they do the work, and a subject that doesn't is detected. */
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { stepClocks } from '../../../test/bench/clocks.ts'
import { SubjectHost } from '../measure/subject-host.ts'
import { loop } from './loop.ts'
import { type Loop, type LoopOptions, openLoop } from './loop-workload.ts'

const peers = join(import.meta.dirname, '../../../peers')

for (const name of ['bare', '@x/react-agent']) {
  it(`${name} executes the tool in every step, at every case`, async () => {
    const subject = loop.subjects.find((candidate) => candidate.name === name)
    if (subject === undefined) throw new Error(`There is no subject ${name}.`)
    for (const caseName of loop.cases) {
      const workload = await loop.open(subject, caseName, peers)
      await workload.verify()
      await workload.run()
      expect(`${caseName}: ${workload.units}`).toBe(`${caseName}: ${caseName.split('/')[1]}`)
    }
  })
}

it('names the subjects and cases of its goals', () => {
  for (const cell of loop.goals.flatMap((goal) => [goal.cell, goal.over])) {
    expect(loop.subjects.map(({ name }) => name)).toContain(cell.subject)
    expect(loop.cases).toContain(cell.case)
  }
})

/** Creates a hand-written loop that skips one part of the work. */
function cheat(skip: 'execution' | 'history' | 'arguments' | 'answer') {
  return {
    createLoop({ tools: [tool], script }: LoopOptions): Loop {
      return {
        async run() {
          const history: unknown[] = []
          for (let call = script.next(history); call !== undefined; call = script.next(history)) {
            const { a, b } = JSON.parse(call.arguments) as { a: number; b: number }
            const args = skip === 'arguments' ? { a: b, b: a } : { a, b }
            const output = skip === 'execution' && a === 2 ? a + b : tool?.execute(args)
            if (skip !== 'history') history.push(output)
          }
          return skip === 'answer' ? '' : script.answer
        },
      }
    },
  }
}

it('rejects a loop that skips an execution', async () => {
  const workload = await openLoop(cheat('execution'), { tools: 1, steps: 3 })
  await expect(workload.verify()).rejects.toThrow('executed 2 times, not 3 times')
  await expect(workload.run()).rejects.toThrow('executed the tool 2 times, not 3 times')
})

it('rejects a loop whose model is not shown the results', async () => {
  const workload = await openLoop(cheat('history'), { tools: 1, steps: 3 })
  await expect(workload.verify()).rejects.toThrow('the history did not grow in step 1')
})

it('rejects a loop that executes with other arguments', async () => {
  const workload = await openLoop(cheat('arguments'), { tools: 1, steps: 3 })
  await expect(workload.verify()).rejects.toThrow('call 1 was executed with')
})

it('rejects a loop that ends with another text', async () => {
  const workload = await openLoop(cheat('answer'), { tools: 1, steps: 3 })
  await expect(workload.run()).rejects.toThrow('ended with ""')
})

it('reports why a loop cheats, and does not measure it', async () => {
  const host = new SubjectHost(() => openLoop(cheat('execution'), { tools: 1, steps: 3 }))
  expect(await host.answer({ type: 'open', warmUpMs: 1 })).toEqual({
    error: 'The subject did different work: the tool was executed 2 times, not 3 times.',
  })
  expect(await host.answer({ type: 'measure', batchMs: 1 })).toEqual({ error: 'The workload is not open.' })
})

it('measures for at least the requested time, in microseconds per step', async () => {
  let runs = 0
  const counting = { units: 2, verify: async () => {}, run: async () => void runs++ }
  const host = new SubjectHost(async () => counting)
  stepClocks({ cpu: 12, wall: 10 })
  await host.answer({ type: 'open', warmUpMs: 1 })
  runs = 0
  expect(await host.answer({ type: 'measure', batchMs: 30 })).toEqual({ sample: { cpu: 2_000, wall: 5_000 } })
  expect(runs).toBe(3)
})
