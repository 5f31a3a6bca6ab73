/** The signature that the loop works with: the task's inputs and the tools in; a thought and tool calls out. */
import { type Adapter, defineSignature, fieldKind, isOneText, type Signature, ToolCalls, Tools } from '@x/adapters'
import type { TSchema } from 'typebox'
import { TOOLS_FIELD } from './turn.ts'

export function actSignature(task: Signature, instructions: readonly string[], { toolCalling }: Adapter): Signature {
  return defineSignature({
    instructions: [task.instructions, ...instructions].filter((words) => words !== '').join('\n\n'),
    inputs: { ...task.inputs, [TOOLS_FIELD]: Tools() },
    outputs: { thought: { type: 'string' } as TSchema, tool_calls: ToolCalls() },
    // In text mode the answer is no turn of the loop: it is asked for when the task is done.
    examples: toolCalling === 'native' ? task.examples?.map((example) => toTurn(example, task)) : undefined,
  } as never)
}

/** An example as the turn that ends such a task: the text, or a call of `submit`. */
function toTurn({ inputs, outputs = {} }: NonNullable<Signature['examples']>[number], task: Signature): object {
  const [text] = Object.keys(task.outputs).filter((name) => fieldKind(task.outputs[name]) === 'value')
  if (isOneText(task)) return { inputs, outputs: { thought: (outputs as Record<string, unknown>)[text as string] } }
  return { inputs, outputs: { tool_calls: [{ id: '', name: 'submit', args: outputs }] } }
}
