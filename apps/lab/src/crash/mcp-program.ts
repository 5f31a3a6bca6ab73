/** The program that is killed: a durable run on files whose agent pays through an MCP server. Arguments: its folder, the server, its arguments. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineSignature, type LMRequest } from '@x/adapters'
import { createFileEngine, type DurableRun } from '@x/durable'
import { scriptedLM } from '@x/lm/testing'
import { mcp } from '@x/mcp'
import { createReactAgent } from '@x/react-agent'
import { Type } from 'typebox'

const [, , folder = '', ...server] = process.argv

/** Pays first, and is done when it has read a result. A new process begins at its first reply. */
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
const engine = await createFileEngine({ folder, fn })
await engine.start('bill', { task: 'Pay.' })
writeFileSync(join(folder, 'result.json'), JSON.stringify(await engine.result('bill')))
await engine.close()
await agent.close()
