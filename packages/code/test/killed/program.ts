/**
 * A process that runs a program of 51 calls over a journal file: `node program.mjs <journal> <effects> <kill at> <approve>`. It kills itself
 * at the given note: each step and each effect are notes. Exits with 3 when the run is paused.
 */
import { appendFileSync, readFileSync } from 'node:fs'
import { fileJournal } from '@x/durable'
import { AgentError } from '@x/react-agent'
import type { Steps } from '@x/react-agent/steps'
import { defineTool, type Effect, type Tool } from '@x/tool-core'
import * as Type from 'typebox'
import { openAgent, textOf } from '../agent.ts'

const CODE = `
  let sum = 0
  for (let value = 1; value <= 20; value++) sum += (await tools.look({ value })).value
  const first = await Promise.all([21, 22, 23, 24, 25].map((value) => tools.look({ value })))
  const paid = await tools.pay({ value: 26 }).catch(({ code }) => ({ code }))
  const stored = await Promise.all(Array.from({ length: 25 }, (_, index) => tools.store({ value: 27 + index })))
  return { sum: sum + [...first, ...stored].reduce((total, { value }) => total + value, 0), paid }`

const [journalFile = '', effectsFile = '', killAt = '0', approves = ''] = process.argv.slice(2)
let notes = 0

function note(): void {
  if (++notes === Number(killAt)) process.kill(process.pid, 'SIGKILL')
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
      if (effect === 'write' || (effect === 'idempotent' && !readFileSync(effectsFile, 'utf8').includes(`${key}\n`)))
        appendFileSync(effectsFile, `${name} ${value} ${key}\n`)
      note()
      return { value }
    },
  }) as unknown as Tool
}

const journal = await fileJournal(journalFile, { fsync: false })
const steps: Steps = {
  wait: (key, about) => journal.wait(key, about),
  run: async (key, execute) => {
    note()
    const value = await journal.run(key, execute)
    note()
    return value
  },
}
const agent = await openAgent(CODE, [tool('look', 'read'), tool('pay', 'write', true), tool('store', 'idempotent')])
try {
  const result = await agent.run({ question: '?' }, { id: 'r', steps, approve: approves === '' ? undefined : () => true })
  process.stdout.write(JSON.stringify({ text: textOf(result), unknown: result.unknownCalls.length, notes }))
} catch (error) {
  if (!(error instanceof AgentError) || error.code !== 'approval_required') throw error
  process.stdout.write(JSON.stringify({ notes }))
  process.exitCode = 3
}
await journal.close()
