/** Stands for a tool that a recorded call names and that the agent no longer has, so that the call's records can still be read. */
import type { Tool, ToolCall } from '@x/tool-core'
import { AgentError } from '../errors.ts'

const gone = new WeakSet<Tool>()

/** The tool declares `read`, so that no intent is recorded. A call that has no outcome yet rejects with `agent_changed`. */
export function goneTool(name: string, needsApproval: boolean): Tool {
  const args = { type: 'object', properties: {} }
  const execute = () => {
    throw toolGone({ name })
  }
  const tool = { name, description: '', args, effect: 'read', needsApproval, execute } as unknown as Tool
  gone.add(tool)
  return tool
}

/** Throws `agent_changed` for a call to a tool that the agent no longer has. */
export function assertNotGone(call: ToolCall, tool: Tool | undefined): void {
  if (tool !== undefined && gone.has(tool)) throw toolGone(call)
}

function toolGone({ name }: Pick<ToolCall, 'name'>): AgentError {
  return new AgentError(
    'agent_changed',
    `The run has an unfinished call to the tool "${name}", which the agent no longer has. Nothing was run. Continue the run with the agent that made the call.`,
  )
}
