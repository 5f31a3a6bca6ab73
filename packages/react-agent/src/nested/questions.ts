/** What a program asks the user: decisions about its calls, and questions. */
import type { Tool } from '@x/tool-core'
import { readAnswer } from '../approval/answer.ts'
import type { PendingCall } from '../approval/decision.ts'
import { endOf } from '../approval/expiry.ts'
import { type Gate, type Invalid, type ShownCall, showCall } from '../approval/gate.ts'
import { toKept } from '../approval/prepared.ts'
import type { CallOutcome } from '../loop/outcome.ts'
import type { CallScope } from '../loop/scope.ts'
import { declinedQuestion, toErrorObservation, toText } from '../prompts.ts'
import { type AskedQuestion, isQuestion, type OpenCall } from './open-call.ts'

export type OpenQuestion = OpenCall & { readonly question: AskedQuestion; readonly tool: Tool }

/** Shows a call or a question that needs a decision. */
export function showOpen(call: OpenCall, scope: CallScope): Promise<ShownCall | Invalid | undefined> {
  const { id, name, args, tool, note, digest = '' } = call
  return isQuestion(call) ? showQuestion(call, digest, scope) : showCall({ id, name, args }, tool as Tool, scope, note)
}

/** Records when the question expires, and emits `approval_requested` unless a journal has it. */
export async function showQuestion({ id, tool, question }: OpenQuestion, digest: string, scope: CallScope): Promise<ShownCall> {
  const { steps, emit, step, expiresInMs, expiresAt: before } = scope
  const { message, schema } = question
  const call: PendingCall = {
    callId: id,
    name: tool.name,
    needs: 'input',
    key: `approval-${id}`,
    args: {},
    digest,
    message,
    schema: JSON.parse(JSON.stringify(schema)) as object,
  }
  const { expiresAt } = await steps.run(`asked-${id}`, async () => {
    emit({ type: 'approval_requested', step, call: structuredClone(call) })
    return endOf(expiresInMs, before)
  })
  return { type: 'shown', call, tool, original: { id, name: tool.name, args: {} }, prepared: undefined, schema, expiresAt }
}

/**
 * Returns the recorded answer instead of validating it again, because a validator's result may differ later. Only an answer that JSON can't
 * represent is validated again.
 */
export async function recordedAnswerOf(call: OpenQuestion, gate: Gate | undefined, { steps }: CallScope): Promise<CallOutcome> {
  let answer: object | undefined
  const recorded = await steps.run(`call-${call.id}`, async (): Promise<CallOutcome> => {
    const outcome = await answerOf(call, gate)
    answer = outcome.data?.output as object | undefined
    return answer !== undefined && toKept(answer) === null ? { ...outcome, data: undefined } : outcome
  })
  if (!recorded.observation.ok || recorded.data !== undefined) return recorded
  return answer === undefined ? await answerOf(call, gate) : { ...recorded, data: { output: answer } }
}

/** Returns the answer, validated like the arguments of a call: with defaults filled in and the schema's transformations applied. */
export async function answerOf({ id, name, question }: OpenQuestion, gate: Gate | undefined): Promise<CallOutcome> {
  const decision = gate?.type === 'decided' ? gate.call.decision : undefined
  if (decision?.type !== 'input') {
    const reason = decision?.type === 'reject' ? decision.reason : undefined
    return { observation: toErrorObservation(id, name, declinedQuestion(reason), 'rejected'), data: { reason } }
  }
  const read = await readAnswer(question.schema, decision.input)
  if ('output' in read)
    return { observation: { callId: id, name, ok: true, text: toText(read.output) }, data: { output: read.output } }
  const { message, issues } = read.error
  return { observation: toErrorObservation(id, name, message, 'invalid_arguments'), data: { issues } }
}
