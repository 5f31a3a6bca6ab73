/**
 * A worker process whose runs are a program of 51 calls. It kills itself at the given note: each step and each effect are notes. It sends
 * the number of its notes to its parent.
 */
import { appendFileSync, readFileSync } from 'node:fs'
import { type Steps, together } from '@x/react-agent/steps'
import { defineTool, type Effect, type Tool } from '@x/tool-core'
import * as Type from 'typebox'
import { openAgent, textOf } from '../agent.ts'
import { openEngine, type WorkerSettings } from './engines.ts'

const CODE = `
  let sum = 0
  for (let value = 1; value <= 20; value++) sum += (await tools.look({ value })).value
  const first = await Promise.all([21, 22, 23, 24, 25].map((value) => tools.look({ value })))
  const paid = await tools.pay({ value: 26 }).catch(({ code }) => ({ code }))
  const stored = await Promise.all(Array.from({ length: 25 }, (_, index) => tools.store({ value: 27 + index })))
  return { sum: sum + [...first, ...stored].reduce((total, { value }) => total + value, 0), paid }`

const { place, effects, killAt, port } = JSON.parse(process.argv[2] ?? '') as WorkerSettings
let notes = 0

function note(): void {
  if (++notes === killAt) process.kill(process.pid, 'SIGKILL')
  process.send?.(notes)
}

/** Has an effect only once for each key, like a service that accepts idempotency keys. */
function tool(name: string, effect: Effect, needsApproval = false): Tool {
  return defineTool({
    name,
    description: name,
    args: Type.Object({ value: Type.Integer() }),
    effect,
    needsApproval,
    execute: async ({ value }, { idempotencyKey: key }) => {
      note()
      if (effect === 'write' || (effect === 'idempotent' && !readFileSync(effects, 'utf8').includes(`${key}\n`)))
        appendFileSync(effects, `${name} ${value} ${key}\n`)
      note()
      return { value }
    },
  }) as unknown as Tool
}

function noted(steps: Steps): Steps {
  return {
    wait: (key, about) => steps.wait(key, about),
    run: async (key, execute) => {
      note()
      const value = await steps.run(key, execute)
      note()
      return value
    },
    together: (keys, work) => together(steps, keys, work),
  }
}

const agent = await openAgent(CODE, [tool('look', 'read'), tool('pay', 'write', true), tool('store', 'idempotent')])
const fn: Parameters<typeof openEngine>[1] = async (_, run) => {
  const result = await agent.run({ question: '?' }, { ...run, steps: noted(run.steps) })
  return { text: textOf(result), unknown: result.unknownCalls.length }
}
const engine = await openEngine(place, fn, port)
process.on('disconnect', () => void engine.close().then(() => process.exit(0)))
process.send?.(0)
