/** The outputs of a signature from a model: parsed, checked against their schemas, asked for again when they are wrong. */
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
import { type ToolMap, validate } from '@x/tool-core'
import { AgentError } from '../errors.ts'
import { askModel, type ModelOptions } from '../model/model.ts'
import { describeErrors, NO_MORE_CALLS, NOT_RUN, toErrorObservation } from '../prompts.ts'
import { callIdsOf, unusedId } from './history.ts'
import { parseReply } from './parse-reply.ts'
import { toTrajectory } from './result.ts'
import type { RunScope } from './scope.ts'

export interface Asking {
  readonly conversation: Conversation
  readonly options?: RequestOptions | undefined
  readonly step: number
  /** How often the model is told what is wrong and asked again: a budget of its own, which no failed request counts against. */
  readonly maxRepairs: number
  /** Hears what is wrong before the model is asked again. */
  readonly onRepair?: ((errors: readonly FieldError[]) => void) | undefined
}

export interface OutputRequest<S extends Signature> extends Asking {
  readonly signature: S
  /** A call of one of them beside the outputs only repeats that the task is done. */
  readonly endingTools: ToolMap
}

/** Asks until the outputs are right. Rejects with `invalid_output` when the repairs are used up. */
export async function askForOutputsOf<S extends Signature>(
  model: ModelOptions,
  { signature, endingTools, ...asking }: OutputRequest<S>,
  scope: RunScope,
): Promise<OutputsOf<S>> {
  const read = async (response: LMResponse) => {
    const parsed = await parseOutputs(model, signature, response, asking.conversation)
    return parsed.errors.length > 0 ? parsed : { ...parsed, errors: strayCall(signature, parsed.response, endingTools) }
  }
  return (await askUntilRead(model, asking, read, scope)).outputs
}

/** Text beside a call is a thought, not the answer. Outputs under their markers are outputs beside a call as well. */
function strayCall(
  signature: Signature,
  { toolCalls, unreadCalls = [] }: LMResponse,
  endingTools: ToolMap,
): readonly FieldError[] {
  const isStray = unreadCalls.length > 0 || toolCalls.some(({ name }) => !endingTools.has(name))
  if (!isStray || !isOneText(signature)) return []
  return [{ code: 'invalid_output', field: Object.keys(signature.outputs)[0] as string, message: NO_MORE_CALLS }]
}

/** The same for any reading of a response: what has errors is asked for again. */
export async function askUntilRead<Outputs>(
  model: ModelOptions,
  { conversation, options = {}, step, maxRepairs, onRepair }: Asking,
  read: (response: LMResponse) => Promise<Parsed<Outputs>>,
  scope: RunScope,
): Promise<Parsed<Outputs>> {
  for (let repair = 0; ; repair++) {
    const response = await askModel(model, conversation, { step, key: `outputs-${step}-${repair}`, options }, scope)
    scope.emit({ type: 'turn', step, response })
    const parsed = await read(response)
    conversation.append(answerCalls(parsed, conversation.messages))
    if (parsed.errors.length === 0) return parsed
    if (repair >= maxRepairs || isFinal(parsed.errors)) throw invalidOutput(parsed.errors, response, conversation)
    onRepair?.(parsed.errors)
    conversation.append({ user: describeErrors(parsed.errors) })
  }
}

/** Parsed by the adapter, then checked against the fields' schemas. */
export async function parseOutputs<S extends Signature>(
  { adapter }: ModelOptions,
  signature: S,
  response: LMResponse,
  conversation: Pick<Conversation, 'tools'>,
): Promise<Parsed<OutputsOf<S>>> {
  const parsed = parseReply(adapter, signature, response, conversation)
  if (parsed.errors.length > 0) return parsed
  const errors: FieldError[] = []
  for (const [field, schema] of Object.entries(signature.outputs)) {
    const value = (parsed.outputs as Record<string, unknown>)[field]
    if (value === undefined || !hasRules(schema)) continue
    for (const { path, message } of await validate(schema, value)) {
      errors.push({ code: 'invalid_output', field, message: `The field "${field}"${path && ` at ${path}`} ${message}.` })
    }
  }
  return { ...parsed, errors }
}

/** Asking again does not help. */
export function isFinal(errors: readonly FieldError[]): boolean {
  return errors.some(({ code }) => code === 'refused')
}

export function invalidOutput(errors: readonly FieldError[], response: LMResponse, conversation: Conversation): AgentError {
  const message = ['The model did not give the outputs.', ...errors.map((error) => error.message)].join(' ')
  return new AgentError('invalid_output', message, {
    errors,
    rawOutput: response.text,
    trajectory: toTrajectory(conversation.messages),
  })
}

/** A field of plain text has nothing to check, nor have tool calls, which are checked when they are run. */
function hasRules(schema: object): boolean {
  if (fieldKind(schema) !== 'value') return false
  const { type, title, description, ...rules } = schema as Record<string, unknown>
  return type !== 'string' || Object.keys(rules).length > 0
}

/** Providers want an answer to every call, also to those that nobody runs; and no id of the conversation twice. */
function answerCalls({ response, errors }: Parsed<unknown>, messages: readonly Message[]): AnsweredResponse {
  const seen = new Set(callIdsOf(messages))
  const counted = new Map<string, number>()
  const toolCalls = response.toolCalls.map((call) => ({ ...call, id: unusedId(call.id || 'call', seen, counted) }))
  // The first error of each.
  const found = new Map(errors.toReversed().map((error) => [error.call?.id, error]))
  const observations = response.toolCalls.map((call, index) => {
    const error = found.get(call.id)
    return toErrorObservation((toolCalls[index] as RawToolCall).id, call.name, error?.message ?? NOT_RUN)
  })
  return { response: { ...response, toolCalls }, observations }
}

interface AnsweredResponse {
  readonly response: LMResponse
  readonly observations: readonly Observation[]
}
