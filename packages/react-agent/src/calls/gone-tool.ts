/** Creates a stand-in for a tool that the agent no longer has, so that a recorded call to it can still be read. */
import type { RawToolCall } from '@x/adapters'
import type { Tool, ToolCall } from '@x/tool-core'
import { AgentError } from '../errors.ts'

const gone = new WeakSet<Tool>()

/** Facts about the tools that are recorded with the model's response. */
export interface ToolRecord {
  /** Names of the tools that required approval. */
  readonly approvals?: readonly string[] | undefined
  /** Names of called tools whose calls must not be repeated. */
  readonly writes?: readonly string[] | undefined
  /** Names of called tools that didn't exist. */
  readonly unknown?: readonly string[] | undefined
}

export interface RecordedTools extends ToolRecord {
  /** True if the response was recorded in this execution. */
  readonly isNew: boolean
}

/** Returns a stand-in for a tool that existed when the reply was recorded. The model may also have called a tool that never existed. */
export function goneToolOf(raw: RawToolCall, name: string, recorded: RecordedTools | undefined): Tool | undefined {
  if (recorded === undefined || recorded.isNew) return undefined
  const { approvals = [], unknown = [] } = recorded
  const isAsking = approvals.includes(name)
  const wasKnown = isAsking || (raw.name === name && !unknown.includes(name))
  return wasKnown ? goneTool(raw.id, name, isAsking) : undefined
}

/** Creates the stand-in. It declares `read`, so that no intent is recorded. A call without an outcome rejects with `agent_changed`. */
function goneTool(id: string, name: string, needsApproval: boolean): Tool {
  const args = { type: 'object', properties: {} }
  const execute = () => {
    throw toolGone({ id, name })
  }
  const tool = { name, description: '', args, effect: 'read', needsApproval, execute } as unknown as Tool
  gone.add(tool)
  return tool
}

/** Throws `agent_changed` for a call to a tool that the agent no longer has. */
export function assertNotGone(call: ToolCall, tool: Tool | undefined): void {
  if (tool !== undefined && gone.has(tool)) throw toolGone(call)
}

function toolGone({ id, name }: Pick<ToolCall, 'id' | 'name'>): AgentError {
  return changedCall(id, `the agent no longer has its tool "${name}"`)
}

/** Returns the error for a call that the agent can't continue. An earlier version of it may have started the call. */
export function changedCall(callId: string, difference: string): AgentError {
  return new AgentError(
    'agent_changed',
    `The call "${callId}" can't go on with this agent: ${difference}. Continue the run with the agent that began it.`,
  )
}
