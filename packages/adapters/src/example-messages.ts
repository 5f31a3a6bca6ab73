/** The examples of a signature as the turns that a model reads before the task. */
import type { ToolCall } from '@x/tool-core'
import { mayBeMissing } from './fields.ts'
import type { Message, RawToolCall } from './protocol.ts'
import type { Signature, SignatureExample } from './signature.ts'
import { fieldKind } from './tool-fields.ts'
import type { Wording } from './wording.ts'

const NOT_GIVEN = 'Not given in this example.'

/**
 * Each example as a turn of the user and one of the model. Calls are calls, as the model is to make them; their results say
 * "Example.", since every provider wants an answer to a call. An output that is not known is said to be so.
 */
export function exampleMessages(signature: Signature, wording: Pick<Wording, 'inputs' | 'outputs'>): Message[] {
  return (signature.examples ?? []).flatMap((example, index): Message[] => {
    const toolCalls = callsOf(signature, example, index)
    const outputs = plainOutputs(signature, example, toolCalls.length > 0)
    const content = Object.keys(outputs).length === 0 ? '' : wording.outputs(signature, outputs)
    return [
      { role: 'user', content: wording.inputs(signature, example.inputs) },
      { role: 'assistant', content, ...(toolCalls.length > 0 && { toolCalls }) },
      ...toolCalls.map(({ id, name }): Message => ({ role: 'tool', callId: id, name, content: 'Example.' })),
    ]
  })
}

/** The ids are our own, so that none can be that of a real call. */
function callsOf(signature: Signature, { outputs = {} }: SignatureExample, example: number): RawToolCall[] {
  const field = Object.keys(signature.outputs).find((name) => fieldKind(signature.outputs[name]) === 'tool_calls')
  const calls = field === undefined ? undefined : (outputs as Record<string, readonly ToolCall[] | undefined>)[field]
  return (calls ?? []).map(({ name, args }, index) => ({
    id: `example_${example}_${index}`,
    name,
    arguments: JSON.stringify(args),
  }))
}

function plainOutputs(signature: Signature, { outputs = {} }: SignatureExample, isCalling: boolean): Record<string, unknown> {
  const given = new Map(Object.entries(outputs).filter(([, value]) => value !== undefined))
  const fields = Object.entries(signature.outputs).flatMap(([name, schema]): [string, unknown][] => {
    if (fieldKind(schema) !== 'value') return []
    if (given.has(name)) return [[name, given.get(name)]]
    return isCalling || mayBeMissing(schema) ? [] : [[name, NOT_GIVEN]]
  })
  return Object.fromEntries(fields)
}
