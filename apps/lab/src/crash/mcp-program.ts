/**
 * The program that is killed: a durable run of an agent that pays through an MCP server. Program arguments: the directory, the role, the
 * server's program, and the server's arguments. In the role `ask`, the program kills itself once the run is waiting for an answer to the
 * server. In the role `answer`, it gives the answer. The run is stored in the database at `DATABASE_URL` or, by default, in the directory.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { defineSignature, type LM, type LMRequest } from '@x/adapters'
import { createFileEngine, type DurableRun, untilStopped } from '@x/durable'
import { createDbosEngine } from '@x/durable/dbos'
import { scriptedLM } from '@x/lm/testing'
import { mcp } from '@x/mcp'
import { createReactAgent } from '@x/react-agent'
import { Type } from 'typebox'

const [, , folder = '', role = '', ...server] = process.argv

/** True if the server kills this process after its answer. The run doesn't end before that, however long it takes. */
const [, file, when] = server
const isDying = when === 'answered' && !existsSync(`${file}.killed`)

/**
 * Pays first, and finishes once the messages contain a result. Depends only on the messages, because each process starts the script again.
 */
const reply = (request: LMRequest) =>
  hasPaid(request) ? { text: 'Done.' } : { toolCalls: [{ id: 'p1', name: 'bank_pay', arguments: '{}' }] }
const hasPaid = ({ messages }: LMRequest) => messages.some(({ role: from }) => from === 'tool')
const scripted = scriptedLM([reply, reply, reply])
const lm: LM = {
  ...scripted,
  generate: (request, options) =>
    isDying && hasPaid(request) ? new Promise<never>(() => {}) : scripted.generate(request, options),
}

const agent = await createReactAgent({
  lm,
  tools: [mcp('bank', { command: process.execPath, args: server }, { connectTimeoutMs: 600_000 })],
  signature: defineSignature({
    instructions: 'Pay the bill.',
    inputs: { task: Type.String() },
    outputs: { answer: Type.String() },
  }),
})
const fn = async (input: { task: string }, run: DurableRun) => {
  const { outputs, trajectory } = await agent.run(input, run)
  return {
    answer: outputs.answer,
    read: trajectory.messages.flatMap(({ role: from, content }) => (from === 'tool' ? [content] : [])),
  }
}
const { DATABASE_URL: databaseUrl } = process.env
const name = basename(folder)
const engine =
  databaseUrl === undefined
    ? await createFileEngine({ folder, fn })
    : await createDbosEngine({ name, databaseUrl, fn, sweepMs: 200, leaseMs: 60_000 })
const asked = join(folder, 'asked.json')
await engine.start('bill', { task: 'Pay.' })
if (role === 'ask') {
  const { waitsFor } = await untilStopped(engine, 'bill')
  writeFileSync(asked, JSON.stringify(waitsFor?.[0]))
  process.kill(process.pid, 'SIGKILL')
}
if (role === 'answer') {
  const { name: key } = JSON.parse(readFileSync(asked, 'utf8')) as { name: string }
  await engine.signal('bill', key, { type: 'input', input: { account: 'A1' } })
}
writeFileSync(join(folder, 'result.json'), JSON.stringify(await engine.result('bill')))
await engine.close()
await agent.close()
