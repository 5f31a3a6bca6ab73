/**
 * The program that is killed: a durable run of an agent that pays through an MCP server, which asks a question first. Program arguments:
 * the directory, the role, the server's program, and the server's arguments. In the role `ask`, the program kills itself once the run is
 * waiting. In the role `answer`, it answers the question. The run is stored in the database at `DATABASE_URL` or, by default, in the
 * directory.
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

/**
 * Pays first, and finishes once the messages contain a result. Depends only on the messages, because each process starts the script again.
 */
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
