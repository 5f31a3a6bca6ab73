/** The sandbox of LangChain's QuickJS middleware, in the caller's thread. Each program has a session of its own. */
import { tool } from '@langchain/core/tools'
import { ReplSession } from '@langchain/quickjs'
import { z } from 'zod'

export function open({ calls, look }) {
  const found = tool((args) => JSON.stringify(look(args)), {
    name: 'look',
    description: 'Returns a record.',
    schema: z.object({ value: z.number() }),
  })
  let sessions = 0
  return {
    async run(program) {
      const id = `s${++sessions}`
      const session = ReplSession.getOrCreate(id, { tools: [found], maxPtcCalls: calls })
      const { ok, value, error } = await session.eval(`(async () => { ${program}\n})()`, 60_000)
      ReplSession.deleteSession(id)
      if (!ok) throw new Error(error?.message ?? 'The program failed.')
      return value
    },
  }
}
