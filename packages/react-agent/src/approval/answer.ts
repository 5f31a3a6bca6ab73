/** Reads the answer to a question. */
import { prepareCall, type ToolError } from '@x/tool-core'
import { AgentError } from '../errors.ts'
import { define } from '../tools/define.ts'

export type Answer = { readonly output: object } | { readonly error: ToolError }

/** Validates the answer like the arguments of a call: fills in defaults and applies the schema's transformations. */
export async function readAnswer(schema: object, input: unknown): Promise<Answer> {
  const answer = define({ name: 'answer', description: 'The answer.', args: schema, execute: (args) => args })
  const prepared = await prepareCall(answer, { id: '', name: 'answer', args: input as Readonly<Record<string, unknown>> })
  return prepared.ok ? { output: prepared.args } : { error: prepared.error }
}

/** Throws `approval_invalid` for an invalid answer. */
export async function assertAnswer(callId: string, schema: object, input: unknown): Promise<void> {
  const answer = await readAnswer(schema, input)
  if ('output' in answer) return
  throw new AgentError('approval_invalid', `The input for "${callId}" is invalid. Nothing was run. ${answer.error.message}`)
}
