/**
 * The program that is killed: a durable run whose agent pays through an MCP server that asks first. Arguments: its folder, its role, the server,
 * its arguments. With the role `ask` it kills itself once the run waits. With `answer` it makes the decision. The run is in the database of
 * `DATABASE_URL`, or else in the folder.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { defineSignature, type LMRequest } from '@x/adapters'
import { createFileEngine, type DurableRun, untilStopped } from '@x/durable'
import { createDbosEngine } from '@x/durable/dbos'
import { scriptedLM } from '@x/lm/testing'
import { mcp } from '@x/mcp'
import { createReactAgent } from '@x/react-agent'
import { Type } from 'typebox'

const [, , folder = '', role = '', ...server] = process.argv

/** Pays first, and is done when it has read a result. A new process begins at its first reply. */
const reply = ({ messages }: LMRequest) =>
  messages.some(({ role: from }) => from === 'tool')
    ? { text: 'Done.' }
    : { toolCalls: [{ id: 'p1', name: 'bank_pay', arguments: '{}' }] }

const agent = await createReactAgent({
  lm: scriptedLM([reply, reply, reply]),
  tools: [mcp('bank', { command: process.execPath, args: server })],
  signature: defineSignature({
    instructions: 'Pay the bill.',
    inputs: { task: Type.String() },
    outputs: { answer: Type.String() },
  }),
})
const fn = async (input: { task: string }, run: DurableRun) => {
  const { trajectory } = await agent.run(input, run)
  return { read: trajectory.messages.flatMap(({ role: from, content }) => (from === 'tool' ? [content] : [])) }
}
const { DATABASE_URL: databaseUrl } = process.env
const name = basename(folder)
const engine =
  databaseUrl === undefined
    ? await createFileEngine({ folder, fn })
    : await createDbosEngine({ name, databaseUrl, fn, sweepMs: 200, leaseMs: 2_000 })
const asked = join(folder, 'asked.json')
await engine.start('bill', { task: 'Pay.' })
if (!existsSync(asked)) {
  const { waitsFor } = await untilStopped(engine, 'bill')
  writeFileSync(asked, JSON.stringify(waitsFor?.[0]))
}
if (role === 'ask') process.kill(process.pid, 'SIGKILL')
const waited = JSON.parse(readFileSync(asked, 'utf8')) as { name: string; about: unknown }
await engine.signal('bill', waited.name, { type: 'input', input: { account: 'A1' } })
const output = await engine.result('bill')
writeFileSync(join(folder, 'result.json'), JSON.stringify({ waited: waited.about, ...(output as object) }))
await engine.close()
await agent.close()
