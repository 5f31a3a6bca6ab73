/**
 * Questions to the user of a client, such as an approval. They are sent immediately, or as a result that the client answers by repeating
 * the call.
 */
import type { ElicitRequestFormParams, InputRequests, InputRequiredResult, ServerContext } from '@modelcontextprotocol/server'
import { type ApprovalRequest, type CallOptions, onAbort } from '@x/tool-core'
import { approvalQuestion } from '../prompts.ts'
import { digestOf } from './digest.ts'

/** The signed data that the client keeps between two rounds of a call. */
export interface QuestionState {
  /** Identifies the call in all of its rounds. */
  readonly id: string
  /** Digest of the tool's name and of the arguments as sent. */
  readonly call: string
  /** Digest of the question under each key in this round. */
  readonly asked: Readonly<Record<string, string>>
  /** Keys that were approved in earlier rounds, with the digest of what was approved. */
  readonly approved: Readonly<Record<string, string>>
}

export interface Questions {
  /** Undefined if the client can't be asked. */
  readonly approve: CallOptions['approve']
  /** Resolves once there is a question that the client must answer with the next call. */
  readonly open: Promise<OpenQuestions>
}

export interface OpenQuestions {
  readonly inputRequests: InputRequests
  readonly state: QuestionState
}

const NEVER = new Promise<never>(() => {})

/** Used for a client that can't be asked. */
export const NO_QUESTIONS: Questions = { approve: undefined, open: NEVER }

/** Asks a connected client while the call runs. */
export function askAtOnce({ mcpReq }: ServerContext, timeoutMs: number): Questions {
  return {
    open: NEVER,
    async approve(request) {
      const { action } = await mcpReq.elicitInput(toForm(request), { signal: mcpReq.signal, timeout: timeoutMs })
      return action === 'accept'
    },
  }
}

/**
 * Ends the call with its open questions. The client repeats the call with answers and the state. An answer counts only if the state shows
 * that the same question was asked for the same arguments. `signal` ends a question that nothing waits for any more.
 */
export function askByResult({ mcpReq }: ServerContext, earlier: QuestionState, signal: AbortSignal): Questions {
  const inputRequests: InputRequests = {}
  const asked: Record<string, string> = {}
  const approved: Record<string, string> = { ...earlier.approved }
  const uses = new Map<string, number>()
  let announce: (questions: OpenQuestions) => void = () => {}
  const open = new Promise<OpenQuestions>((resolve) => {
    announce = resolve
  })
  return {
    open,
    async approve(request) {
      const key = keyOf(request, uses)
      const digest = await digestOf([request.name, request.args])
      if (digest === undefined) return false
      if (Object.hasOwn(approved, key) && approved[key] === digest) return true
      const action =
        Object.hasOwn(earlier.asked, key) && earlier.asked[key] === digest ? actionIn(mcpReq.inputResponses, key) : undefined
      if (action === 'accept') {
        approved[key] = digest
        return true
      }
      if (action !== undefined) return false
      inputRequests[key] = { method: 'elicitation/create', params: toForm(request) }
      asked[key] = digest
      // Sent in the next turn of the event loop, so that questions from parallel calls go out together.
      setTimeout(() => announce({ inputRequests, state: { ...earlier, asked, approved } }), 0)
      return new Promise<boolean>((resolve) => onAbort(signal, () => resolve(false)))
    },
  }
}

/** `approve_delete_file`; a second call to the same tool within the call gets `approve_delete_file_2`. */
function keyOf({ name }: ApprovalRequest, uses: Map<string, number>): string {
  const use = (uses.get(name) ?? 0) + 1
  uses.set(name, use)
  return `approve_${name}${use === 1 ? '' : `_${use}`}`
}

/** The form has no fields: accepting it is the approval. */
function toForm({ name, args }: ApprovalRequest): ElicitRequestFormParams {
  return { mode: 'form', message: approvalQuestion(name, args), requestedSchema: { type: 'object', properties: {} } }
}

/** Returns the answer to a form. Undefined if there is none. */
function actionIn(
  responses: Readonly<Record<string, unknown>> | undefined,
  key: string,
): 'accept' | 'decline' | 'cancel' | undefined {
  if (responses === undefined || !Object.hasOwn(responses, key)) return undefined
  const { action } = (responses[key] ?? {}) as { readonly action?: unknown }
  return action === 'accept' || action === 'decline' || action === 'cancel' ? action : undefined
}

export type { InputRequiredResult }
