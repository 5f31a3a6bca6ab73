/** Gets the outputs of a signature from a model: parses them, validates them, and asks again when they are invalid. */
import {
  type Conversation,
  type FieldError,
  fieldKind,
  isOneText,
  type LMResponse,
  type Message,
  type Observation,
  type OutputsOf,
  type Parsed,
  type RawToolCall,
  type RequestOptions,
  type Signature,
} from '@x/adapters'
import { parserOf, validate } from '@x/tool-core'
import { AgentError } from '../errors.ts'
import { askModel, type ModelOptions } from '../model/model.ts'
import { describeErrors, NO_MORE_CALLS, NOT_RUN, toErrorObservation } from '../prompts.ts'
import { orAborted } from '../until-aborted.ts'
import { callIdsOf, unusedId } from './history.ts'
import { parseReply } from './parse-reply.ts'
import { toTrajectory } from './result.ts'
import type { ModelScope } from './scope.ts'
import { errorsByCall } from './turn.ts'

export interface Asking {
  readonly conversation: Conversation
  readonly options?: RequestOptions | undefined
  readonly step: number
  /** Maximum output-repair attempts. Retries of failed requests don't count. */
  readonly maxRepairs: number
  /** Called with the errors before the model is asked again. */
  readonly onRepair?: ((errors: readonly FieldError[]) => void) | undefined
}

export interface OutputRequest<S extends Signature> extends Asking {
  readonly signature: S
}

/** Asks until the outputs are valid. Rejects with `invalid_output` after `maxRepairs` attempts. */
export async function askForOutputsOf<S extends Signature>(
  model: ModelOptions,
  { signature, ...asking }: OutputRequest<S>,
  scope: ModelScope,
): Promise<OutputsOf<S>> {
  const read = async (response: LMResponse) => {
    const parsed = await parseOutputs(model, signature, response, asking.conversation, scope.signal)
    return parsed.errors.length > 0 ? parsed : { ...parsed, errors: strayCall(signature, parsed.response) }
  }
  return (await askUntilRead(model, asking, read, scope)).outputs
}

/**
 * Returns an error for a call in a reply whose answer is plain text, because text beside a call counts as a thought. Outputs in marked
 * fields are accepted even beside a call.
 */
function strayCall(signature: Signature, { toolCalls, malformedCalls = [] }: LMResponse): readonly FieldError[] {
  const isStray = malformedCalls.length > 0 || toolCalls.length > 0
  if (!isStray || !isOneText(signature)) return []
  return [{ code: 'invalid_output', field: Object.keys(signature.outputs)[0] as string, message: NO_MORE_CALLS }]
}

/** Like `askForOutputsOf`, but parses responses with `read`, and asks again while it returns errors. */
export async function askUntilRead<Outputs>(
  model: ModelOptions,
  { conversation, options = {}, step, maxRepairs, onRepair }: Asking,
  read: (response: LMResponse) => Promise<Parsed<Outputs>>,
  scope: ModelScope,
): Promise<Parsed<Outputs>> {
  for (let repair = 0; ; repair++) {
    const response = await askModel(model, conversation, { step, key: `outputs-${step}-${repair}`, options }, scope)
    scope.emit({ type: 'assistant_message', step, response })
    const parsed = await read(response)
    conversation.append(answerCalls(parsed, conversation.messages))
    if (parsed.errors.length === 0) return parsed
    if (repair >= maxRepairs || isFinal(parsed.errors)) throw invalidOutput(parsed.errors, response, conversation)
    onRepair?.(parsed.errors)
    conversation.append({ user: describeErrors(parsed.errors) })
  }
}

/** Parses a response with the adapter, then validates the outputs against their schemas. Validators may be asynchronous. */
export async function parseOutputs<S extends Signature>(
  { adapter }: ModelOptions,
  signature: S,
  response: LMResponse,
  conversation: Pick<Conversation, 'tools'>,
  signal: AbortSignal | undefined,
): Promise<Parsed<OutputsOf<S>>> {
  const parsed = parseReply(adapter, signature, response, conversation)
  if (parsed.errors.length > 0) return parsed
  const errors: FieldError[] = []
  for (const [field, schema] of Object.entries(signature.outputs)) {
    const value = (parsed.outputs as Record<string, unknown>)[field]
    if (value === undefined || !hasRules(schema)) continue
    for (const { path, message } of await orAborted(validate(schema, value), signal)) {
      errors.push({ code: 'invalid_output', field, message: `The field "${field}"${path && ` at ${path}`} ${message}.` })
    }
  }
  return { ...parsed, errors }
}

/** Returns true if asking the model again can't help. */
export function isFinal(errors: readonly FieldError[]): boolean {
  return errors.some(({ code }) => code === 'refused')
}

export function invalidOutput(errors: readonly FieldError[], response: LMResponse, conversation: Conversation): AgentError {
  const message = ['The model did not return valid outputs.', ...errors.map((error) => error.message)].join(' ')
  return new AgentError('invalid_output', message, {
    errors,
    rawOutput: response.text,
    trajectory: toTrajectory(conversation.messages),
  })
}

/** Returns false for plain text. Also returns false for tool calls, which are validated when they are run. */
function hasRules(schema: object): boolean {
  if (fieldKind(schema) !== 'value') return false
  if (parserOf(schema) !== undefined) return true
  const { type, title, description, ...rules } = schema as Record<string, unknown>
  return type !== 'string' || Object.keys(rules).length > 0
}

/**
 * Answers the calls of an invalid reply, which aren't run, and makes their ids unique. Providers require a result for every call, and
 * unique ids within a conversation.
 */
function answerCalls({ response, errors }: Parsed<unknown>, messages: readonly Message[]): AnsweredResponse {
  const seen = new Set(callIdsOf(messages))
  const counted = new Map<string, number>()
  const toolCalls = response.toolCalls.map((call) => ({ ...call, id: unusedId(call.id || 'call', seen, counted) }))
  const errorOf = errorsByCall(errors)
  const observations = response.toolCalls.map((call, index) =>
    toErrorObservation((toolCalls[index] as RawToolCall).id, call.name, errorOf(call)?.message ?? NOT_RUN),
  )
  return { response: { ...response, toolCalls }, observations }
}

interface AnsweredResponse {
  readonly response: LMResponse
  readonly observations: readonly Observation[]
}
