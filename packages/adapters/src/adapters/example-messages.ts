/** Converts a signature's examples to messages that precede the task. */
import { type ToolCall, valueAt } from '@x/tool-core'
import type { Message, RawToolCall } from '../protocol/protocol.ts'
import { fieldsOf, mayBeMissing } from '../signature/fields.ts'
import type { Signature, SignatureExample } from '../signature/signature.ts'
import { toUserMessage } from '../signature/write-inputs.ts'
import { setValue } from './read-sections.ts'
import type { Wording } from './wording.ts'

const NOT_GIVEN = 'Not given in this example.'

/**
 * Returns a user message and an assistant message for each example. Calls become tool calls with the result "Example.", because
 * every provider requires a result for each call. In an example without calls, a required output that was omitted is written as
 * not given.
 */
export function exampleMessages(signature: Signature, wording: Pick<Wording, 'inputs' | 'outputs'>): readonly Message[] {
  const messages: Message[] = []
  for (const [index, example] of (signature.examples ?? []).entries()) {
    const toolCalls = callsOf(signature, example, index)
    const outputs = plainOutputs(signature, example, toolCalls.length > 0)
    const content = Object.keys(outputs).length === 0 ? '' : wording.outputs(signature, outputs)
    messages.push(toUserMessage(wording.inputs(signature, example.inputs)))
    messages.push({ role: 'assistant', content, ...(toolCalls.length > 0 && { toolCalls }) })
    for (const { id, name } of toolCalls) messages.push({ role: 'tool', callId: id, name, content: 'Example.' })
  }
  return messages
}

/** Creates the tool calls of an example. Their ids can't be equal to those of real calls. */
function callsOf(signature: Signature, { outputs = {} }: SignatureExample, example: number): RawToolCall[] {
  const [field] = fieldsOf(signature.outputs, 'tool_calls')
  const calls = field === undefined ? undefined : (outputs as Record<string, readonly ToolCall[] | undefined>)[field[0]]
  return (calls ?? []).map(({ name, args }, index) => ({
    id: `example_${example}_${index}`,
    name,
    arguments: JSON.stringify(args),
  }))
}

function plainOutputs(signature: Signature, { outputs = {} }: SignatureExample, isCalling: boolean): Record<string, unknown> {
  const plain: Record<string, unknown> = {}
  for (const [name, schema] of fieldsOf(signature.outputs, 'value')) {
    const value = valueAt(outputs, [name])
    if (value !== undefined) setValue(plain, name, value)
    else if (!isCalling && !mayBeMissing(schema)) setValue(plain, name, NOT_GIVEN)
  }
  return plain
}
