/** The signature of a turn of the loop: the task's inputs and the tools as inputs, a thought and tool calls as outputs. */
import { type Adapter, fieldKind, isOneText, readSignature, type Signature, ToolCalls, Tools } from '@x/adapters'
import type { ToolCall } from '@x/tool-core'
import type { TSchema } from 'typebox'

/** Name of the field for tools in the loop's signature. No field of a task can have this name. */
export const TOOLS_FIELD = '~tools'

/** The outputs of the loop's signature. */
export interface ActOutputs {
  readonly thought: string
  readonly tool_calls: readonly ToolCall[]
}

/** Builds the signature. `ofTools` are the instructions of tool sources. They may come from third parties, so the adapter escapes them. */
export function actSignature(task: Signature, ofTools: readonly string[], ofEnding: string, adapter: Adapter): Signature {
  const escaped = ofTools.map((text) => adapter.escapeText?.(text) ?? text)
  return readSignature({
    instructions: [task.instructions, ...escaped, ofEnding].filter((text) => text !== '').join('\n\n'),
    inputs: { ...task.inputs, [TOOLS_FIELD]: Tools() },
    outputs: { thought: { type: 'string' } as TSchema, tool_calls: ToolCalls() },
    // In text mode, the answer isn't a turn of the loop, so the examples can't be shown as turns.
    examples: adapter.toolCalling === 'native' ? task.examples?.map((example) => toTurn(example, task)) : undefined,
  } as never)
}

/** Converts an example to the turn that ends the task: text, or a call to `submit`. */
function toTurn({ inputs, outputs = {} }: NonNullable<Signature['examples']>[number], task: Signature): object {
  const [text] = Object.keys(task.outputs).filter((name) => fieldKind(task.outputs[name]) === 'value')
  if (isOneText(task)) return { inputs, outputs: { thought: (outputs as Record<string, unknown>)[text as string] } }
  return { inputs, outputs: { tool_calls: [{ id: '', name: 'submit', args: outputs }] } }
}
