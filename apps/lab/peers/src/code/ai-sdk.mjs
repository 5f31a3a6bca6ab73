/** The code mode of the AI SDK, which runs programs in a worker. */
import { experimental_runCodeMode as runCodeMode } from '@ai-sdk/code-mode'
import { tool } from 'ai'
import { z } from 'zod'

export function open({ calls, look }) {
  const tools = { look: tool({ description: 'Returns a record.', inputSchema: z.object({ value: z.number() }), execute: look }) }
  const executionPolicy = { timeoutMs: 60_000, maxBridgeRequests: calls + 1, maxInFlightBridgeRequests: 50 }
  return { run: (js) => runCodeMode({ js, tools, options: { executionPolicy } }) }
}
