/** Questions to the user of a client, such as an approval: asked at once, or by a result that the client answers with the same call. */
import type { ElicitRequestFormParams, InputRequests, InputRequiredResult, ServerContext } from '@modelcontextprotocol/server'
import { type ApprovalRequest, type CallOptions, onAbort } from '@x/tool-core'
import { approvalQuestion } from '../prompts.ts'
import { digestOf } from './digest.ts'

/** What the client keeps between two rounds of a call, signed. */
export interface QuestionState {
  /** Identifies the call in all its rounds. */
  readonly id: string
  /** Digest of the tool's name and the arguments as sent. */
  readonly call: string
  /** Digest of what was asked under each key of this round. */
  readonly asked: Readonly<Record<string, string>>
  /** Keys of earlier rounds that were approved, with the digest of what was approved. */
  readonly approved: Readonly<Record<string, string>>
}

export interface Questions {
  /** Undefined if the client can't be asked. */
  readonly approve: CallOptions['approve']
  /** Resolves once a question is open that the client must answer with the next call. */
  readonly open: Promise<OpenQuestions>
}

export interface OpenQuestions {
  readonly inputRequests: InputRequests
  readonly state: QuestionState
}

const NEVER = new Promise<never>(() => {})

/** For a client that can't be asked. */
export const NO_QUESTIONS: Questions = { approve: undefined, open: NEVER }

/** Asks a client with a connection, while the call runs. */
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
 * Ends the call with its open questions. The client repeats it with answers and the state. An answer counts only if the state says that the
 * same tool was asked about with the same arguments. `signal` ends a question that nothing waits for any more.
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
      // In the next turn of the event loop, so that questions of parallel calls go out together.
      setTimeout(() => announce({ inputRequests, state: { ...earlier, asked, approved } }), 0)
      return new Promise<boolean>((resolve) => onAbort(signal, () => resolve(false)))
    },
  }
}

/** `approve_delete_file`; a second call of the same tool within the call gets `approve_delete_file_2`. */
function keyOf({ name }: ApprovalRequest, uses: Map<string, number>): string {
  const use = (uses.get(name) ?? 0) + 1
  uses.set(name, use)
  return `approve_${name}${use === 1 ? '' : `_${use}`}`
}

/** The form has no fields: accepting it is the approval. */
function toForm({ name, args }: ApprovalRequest): ElicitRequestFormParams {
  return { mode: 'form', message: approvalQuestion(name, args), requestedSchema: { type: 'object', properties: {} } }
}

/** The answer to a form. Undefined if there is none. */
function actionIn(
  responses: Readonly<Record<string, unknown>> | undefined,
  key: string,
): 'accept' | 'decline' | 'cancel' | undefined {
  if (responses === undefined || !Object.hasOwn(responses, key)) return undefined
  const { action } = (responses[key] ?? {}) as { readonly action?: unknown }
  return action === 'accept' || action === 'decline' || action === 'cancel' ? action : undefined
}

export type { InputRequiredResult }
