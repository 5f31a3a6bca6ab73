/**
 * The program that is killed: a durable run of an agent that pays through an MCP server. Program arguments: the directory, the server's
 * program, and the server's arguments. The run is stored in the database at `DATABASE_URL` or, by default, in the directory.
 */
import { writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { defineSignature, type LMRequest } from '@x/adapters'
import { createFileEngine, type DurableRun } from '@x/durable'
import { createDbosEngine } from '@x/durable/dbos'
import { scriptedLM } from '@x/lm/testing'
import { mcp } from '@x/mcp'
import { createReactAgent } from '@x/react-agent'
import { Type } from 'typebox'

const [, , folder = '', ...server] = process.argv

/**
 * Pays first, and finishes once the messages contain a result. Depends only on the messages, because each process starts the script again.
 */
const reply = ({ messages }: LMRequest) =>
  messages.some(({ role }) => role === 'tool')
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
  const { outputs, trajectory } = await agent.run(input, run)
  return { answer: outputs.answer, read: trajectory.messages.flatMap(({ role, content }) => (role === 'tool' ? [content] : [])) }
}
const { DATABASE_URL: databaseUrl } = process.env
const name = basename(folder)
const engine =
  databaseUrl === undefined
    ? await createFileEngine({ folder, fn })
    : await createDbosEngine({ name, databaseUrl, fn, sweepMs: 200, leaseMs: 2_000 })
await engine.start('bill', { task: 'Pay.' })
writeFileSync(join(folder, 'result.json'), JSON.stringify(await engine.result('bill')))
await engine.close()
await agent.close()
