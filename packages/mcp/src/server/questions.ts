/**
 * Asks the client's user a question. The question is sent immediately, or returned as the call's result; the client then repeats
 * the call with the answer.
 */
import type { ElicitRequestFormParams, InputRequests, ServerContext } from '@modelcontextprotocol/server'
import type { ApprovalRequest, CallOptions } from '@x/tool-core'
import { approvalQuestion } from '../prompts.ts'
import { digestIfShallow } from './digest.ts'

/** The signed data that the client keeps between two rounds of a call. */
export interface QuestionState {
  /** Identifies the call in all of its rounds. */
  readonly id: string
  /** Digest of the tool's name and the arguments as the client sent them. */
  readonly call: string
  /** Approvals that this round requests: a digest of the tool's name and arguments, by key. */
  readonly asked: Readonly<Record<string, string>>
  /** Approvals that were granted in earlier rounds, in the same form as `asked`. */
  readonly approved: Readonly<Record<string, string>>
  /** Answers from earlier rounds, as the client sent them. */
  readonly answers: Readonly<Record<string, unknown>>
}

/** A form that asks a tool's question. */
export interface Form {
  readonly key: string
  readonly params: ElicitRequestFormParams
  /** Validates the values in the form. Resolves to undefined if they are invalid; the user is then asked again. */
  read(content: unknown): Promise<object | undefined>
}

export interface Questions {
  /** Asks for an approval. Undefined if the client can't be asked. */
  readonly approve: CallOptions['approve']
  /** Asks a question. Resolves to undefined if the user declines. Undefined if the client can't be asked. */
  readonly ask: ((form: Form) => Promise<object | undefined>) | undefined
  /** Resolves once there are questions that the client must answer with its next call. */
  readonly open: Promise<OpenQuestions>
}

export interface OpenQuestions {
  readonly inputRequests: InputRequests
  readonly state: QuestionState
}

const NEVER = new Promise<never>(() => {})
const MAX_TRIES = 3

/** Used for a client that can't be asked. */
export const NO_QUESTIONS: Questions = { approve: undefined, ask: undefined, open: NEVER }

/** Asks a connected client while the call is running. The call continues with the answer. */
export function askAtOnce({ mcpReq }: ServerContext, timeoutMs: number): Questions {
  const elicit = (params: ElicitRequestFormParams) => mcpReq.elicitInput(params, { signal: mcpReq.signal, timeout: timeoutMs })
  return {
    open: NEVER,
    approve: async (request) => (await elicit(toForm(request))).action === 'accept',
    async ask({ params, read }) {
      for (let tries = 0; tries < MAX_TRIES; tries++) {
        const { action, content } = await elicit(params)
        const answer = action === 'accept' ? await read(content ?? {}) : undefined
        if (answer !== undefined || action !== 'accept') return answer
      }
      return undefined
    },
  }
}

/**
 * Returns the open questions as the call's result. The client then repeats the call with its answers and the state. An approval
 * counts only if the state shows that it was requested for the same tool and arguments. `assertMayAsk` throws once the call must
 * not be repeated.
 */
export function askByResult({ mcpReq }: ServerContext, earlier: QuestionState, assertMayAsk: () => void): Questions {
  const asked: Record<string, string> = {}
  const approved: Record<string, string> = { ...earlier.approved }
  const answers: Record<string, unknown> = { ...earlier.answers }
  const uses = new Map<string, number>()
  /**
   * The forms to send, in the order in which they were requested. Null until it's clear whether the client has already answered.
   */
  const forms = new Map<string, ElicitRequestFormParams | null>()
  let announce: (questions: OpenQuestions) => void = () => {}
  const open = new Promise<OpenQuestions>((resolve) => {
    announce = resolve
  })
  const announceIfClear = () => {
    const inputRequests: InputRequests = {}
    for (const [key, params] of forms) {
      if (params === null) return
      inputRequests[key] = { method: 'elicitation/create', params }
    }
    if (forms.size > 0) announce({ inputRequests, state: { ...earlier, asked, approved, answers } })
  }
  /** Returns the client's answer, as found by `find`. If there is none, adds the question to the result of the call. */
  const answerTo = async <Answer>(
    key: string,
    params: ElicitRequestFormParams,
    find: () => Promise<{ readonly answer: Answer } | undefined>,
  ): Promise<Answer> => {
    forms.set(key, null)
    try {
      const found = await find()
      if (found !== undefined) return found.answer
      assertMayAsk()
      forms.set(key, params)
    } finally {
      if (forms.get(key) === null) forms.delete(key)
      // Waits for the next turn of the event loop, so that the questions of parallel calls are sent together.
      if (forms.size > 0) setTimeout(announceIfClear, 0)
    }
    // The call ends here while the tool still waits. If this promise resolved, the tool would continue as if the user had
    // declined.
    return NEVER
  }
  return {
    open,
    approve(request) {
      const key = keyOf(request, uses)
      return answerTo(key, toForm(request), async () => {
        const digest = await digestIfShallow([request.name, request.args])
        if (digest === undefined) return { answer: false }
        if (ownMember(approved, key) === digest) return { answer: true }
        const action = ownMember(earlier.asked, key) === digest ? responseIn(mcpReq.inputResponses, key)?.action : undefined
        if (action === 'accept') approved[key] = digest
        if (action !== undefined) return { answer: action === 'accept' }
        asked[key] = digest
        return undefined
      })
    },
    ask: ({ key, params, read }) =>
      answerTo(key, params, async () => {
        const response = responseIn(answers, key) ?? responseIn(mcpReq.inputResponses, key)
        if (response === undefined) return undefined
        const answer = response.action === 'accept' ? await read(response.content ?? {}) : undefined
        if (answer === undefined && response.action === 'accept') return undefined
        answers[key] = response
        return { answer }
      }),
  }
}

/**
 * Returns the key of an approval, such as `approve_delete_file`. If a call asks for the same tool a second time, the key is
 * `approve_delete_file_2`.
 */
function keyOf({ name }: ApprovalRequest, uses: Map<string, number>): string {
  const use = (uses.get(name) ?? 0) + 1
  uses.set(name, use)
  return `approve_${name}${use === 1 ? '' : `_${use}`}`
}

/** Creates the form of an approval. It has no fields, because accepting it approves the call. */
function toForm({ name, args }: ApprovalRequest): ElicitRequestFormParams {
  return { mode: 'form', message: approvalQuestion(name, args), requestedSchema: { type: 'object', properties: {} } }
}

interface Response {
  readonly action: 'accept' | 'decline' | 'cancel'
  readonly content?: unknown
}

/** Returns the answer to a form. Returns undefined if there is no answer. */
function responseIn(responses: Readonly<Record<string, unknown>> | undefined, key: string): Response | undefined {
  const { action, content } = (ownMember(responses ?? {}, key) ?? {}) as { readonly action?: unknown; readonly content?: unknown }
  return action === 'accept' || action === 'decline' || action === 'cancel' ? { action, content } : undefined
}

function ownMember<Value>(record: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined
}
