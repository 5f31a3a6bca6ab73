/** Validates the user's answer to a question. */
import { prepareCall, type ToolError } from '@x/tool-core'
import { AgentError, wordsOf } from '../errors.ts'
import { define } from '../tools/define.ts'

export type Answer = { readonly output: object } | { readonly error: ToolError }

/** Validates the answer like the arguments of a call: fills in defaults and applies the schema's transformations. */
export async function readAnswer(schema: object, input: unknown): Promise<Answer> {
  const prepared = await prepareCall(toolOf(schema), { id: '', name: 'answer', args: input as Readonly<Record<string, unknown>> })
  return prepared.ok ? { output: prepared.args } : { error: prepared.error }
}

/** Throws `approval_invalid` for an invalid answer. */
export async function assertAnswer(callId: string, schema: object, input: unknown): Promise<void> {
  const answer = await readAnswer(schema, input)
  if ('output' in answer) return
  throw new AgentError('approval_invalid', `The input for "${callId}" is invalid. Nothing was run. ${answer.error.message}`)
}

/** Throws `invalid_options` if no answer can be validated with the schema, or if JSON can't represent the schema. */
export function assertAnswerable(schema: object, owner: string): void {
  try {
    toolOf(schema)
    JSON.stringify(schema)
  } catch (cause) {
    const words = wordsOf(cause).replace(/^.*?: args /, '')
    throw new AgentError('invalid_options', `${owner}: schema ${words}`, { cause })
  }
}

function toolOf(schema: object) {
  return define({ name: 'answer', description: 'The answer.', args: schema, execute: (args) => args })
}
