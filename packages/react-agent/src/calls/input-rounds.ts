/**
 * Handles tools that end their execution with questions to the user. The tool is executed again with the answers, possibly in another
 * process.
 */
import type { Usage } from '@x/adapters'
import {
  type GivenInput,
  type InputQuestion,
  isInputRequired,
  type Question,
  type Tool,
  type ToolCall,
  type ToolResult,
} from '@x/tool-core'
import type { DecidedCall, PendingCall } from '../approval/decision.ts'
import { decideCall, type ShownCall } from '../approval/gate.ts'
import { AgentError } from '../errors.ts'
import type { CallOutcome } from '../loop/outcome.ts'
import type { CallScope } from '../loop/scope.ts'
import { NestedSteps } from '../nested/nested-steps.ts'
import { toOpenQuestion, toRecordedCall } from '../nested/open-call.ts'
import { answerOf, type OpenQuestion, showQuestion } from '../nested/questions.ts'
import type { WaitingCall } from '../nested/waiting.ts'
import { aborted, toErrorObservation } from '../prompts.ts'
import { RecordedMedia } from './recorded-media.ts'
import { Unrecorded } from './unrecorded.ts'

interface Asked {
  readonly questions: readonly InputQuestion[]
  readonly state: unknown
}

/** The record of an execution that ended with questions. */
export interface RecordedQuestions {
  readonly asked: Asked
  readonly usage?: Usage | undefined
  /** Never set: only an outcome has an observation. */
  readonly observation?: undefined
}

/** One execution of the tool. */
export interface Round {
  /** The scope whose steps record the execution. */
  readonly scope: CallScope
  /** Part of the keys of its records, `intent-…` and `call-…`. */
  readonly key: string
  /** The state of the previous execution, and the answers to its questions. */
  readonly given?: GivenInput | undefined
}

/** Returns the record of a result that consists of questions. Returns undefined for any other result. */
export function toRecordedQuestions(result: ToolResult): RecordedQuestions | undefined {
  if (result.ok || !isInputRequired(result.error)) return undefined
  const { questions, state = null } = result.error
  return { asked: JSON.parse(JSON.stringify({ questions, state })) as Asked }
}

/**
 * Gets answers and executes the tool again with them, until the call has an outcome or waits for answers. An execution that ended with
 * questions is recorded with its questions and state, and isn't repeated. `first` is undefined if the first execution is in the records of
 * the call. Rejects like `execute`, with `Unrecorded`, and with errors about invalid decisions.
 */
export async function askAndExecute(
  first: RecordedQuestions | undefined,
  call: ToolCall,
  tool: Tool,
  scope: CallScope,
  execute: (round?: Round) => Promise<CallOutcome | RecordedQuestions>,
): Promise<CallOutcome | WaitingCall> {
  let ended: CallOutcome | RecordedQuestions | undefined = first
  const steps = new NestedSteps({
    steps: scope.steps,
    callId: call.id,
    records: scope.outer === undefined ? scope.recordsOf(call.id) : undefined,
    isReplayed: true,
  })
  const inside: CallScope = { ...steps.scopeIn(scope), media: new RecordedMedia(steps) }
  let given: GivenInput | undefined
  for (let round = 0; ; round++) {
    const key = `input-${round}`
    if (ended === undefined && !steps.wasKnown(key)) ended = await execute(given && { scope: inside, key: String(round), given })
    if (ended !== undefined && !hasQuestions(ended)) return ended
    const asked = ended?.asked
    ended = undefined
    let found: Answers | undefined
    try {
      const { questions, state } = (await steps.run<unknown>(key, async () => asked)) as Asked
      const id = round === 0 ? call.id : `${call.id}.${round + 1}`
      found = await answersOf(questions, { id, call, tool, steps, scope: inside })
      given = { state, answers: found.answers }
    } catch (cause) {
      if (!scope.signal?.aborted) throw cause instanceof AgentError ? cause : new Unrecorded(cause)
    }
    if (found === undefined || scope.signal?.aborted)
      return { observation: toErrorObservation(call.id, call.name, aborted(call.name), 'aborted') }
    if (found.ended !== undefined) return found.ended
  }
}

export function hasQuestions(ended: CallOutcome | RecordedQuestions): ended is RecordedQuestions {
  return 'asked' in ended
}

interface AskedCallParts {
  /** Prefix of the questions' ids. */
  readonly id: string
  readonly call: ToolCall
  readonly tool: Tool
  readonly steps: NestedSteps
  readonly scope: CallScope
}

interface Answers {
  readonly answers: GivenInput['answers']
  /** The end of the round. Set if an answer is missing or invalid. */
  readonly ended?: WaitingCall | CallOutcome | undefined
}

/** Shows all questions, then gets the decisions. An answer from a journal may be invalid, which ends the call. */
async function answersOf(
  questions: readonly InputQuestion[],
  { id, call, tool, steps, scope }: AskedCallParts,
): Promise<Answers> {
  const open: OpenQuestion[] = []
  const keys = new Set<string>()
  for (const question of questions as readonly object[] as readonly Question[]) {
    open.push(toOpenQuestion(open.length + 1, question, { callId: id, tool }) as OpenQuestion)
    keys.add(question.key)
  }
  if (keys.size < open.length) throw new AgentError('invalid_options', `"${tool.name}" asked two questions with the same key.`)
  const shown: ShownCall[] = []
  for (const question of open) shown.push(await showQuestion(question, (await toRecordedCall(question)).digest, scope))
  const waiting: PendingCall[] = []
  const decided: DecidedCall[] = []
  const ends: string[] = []
  let cause: unknown
  const answers: { [key: string]: object | null } = {}
  for (let index = 0; index < open.length; index++) {
    const question = open[index] as OpenQuestion
    const gate = await decideCall(shown[index] as ShownCall, scope)
    if (gate.type === 'waiting') {
      waiting.push(steps.placed(gate.call))
      if (gate.expiresAt !== undefined) ends.push(gate.expiresAt)
      cause ??= gate.cause
      continue
    }
    decided.push(steps.placed(gate.call) as DecidedCall)
    const { observation, data } = await answerOf(question, gate)
    if (observation.code === 'invalid_arguments')
      return { answers, ended: { observation: { ...observation, callId: call.id, code: 'rejected' } } }
    answers[question.question.key] = observation.ok ? (data?.output as object) : null
  }
  return { answers, ended: waiting.length > 0 ? { waiting, decided, expiresAt: ends.sort()[0], cause } : undefined }
}
