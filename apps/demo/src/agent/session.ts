/** Sends requests to one agent and records the result of each. */
import { AgentError, type AgentEvent, type Approve, type Trajectory } from '@x/react-agent'
import { type DemoAgentOptions, openDemoAgent } from './demo-agent.ts'
import { type EditedCall, findFaultOfEdit } from './edited-call.ts'
import { type MadeCall, noteCall } from './made-calls.ts'

export type SessionOptions = Pick<DemoAgentOptions, 'name' | 'lm' | 'domains' | 'place' | 'asksBeforeWrites' | 'servers'>

export interface RequestRecord {
  /** The answer, or an error message if there is no answer. */
  readonly answer: string
  readonly answered: boolean
  readonly calls: readonly MadeCall[]
  readonly ms: number
  /** The messages of the run, for the next request. Also set if the model failed after some calls. */
  readonly trajectory?: Trajectory | undefined
  /** Set if the model itself failed, e.g. because it was unreachable or its reply was truncated. */
  readonly failure?: AgentError | undefined
}

export interface AskOptions {
  readonly signal?: AbortSignal | undefined
  readonly onEvent?: ((event: AgentEvent) => void) | undefined
  /** The user who makes the request. Default: `demo`. */
  readonly user?: string | undefined
  /** Decides about calls that require approval. Default: approves every call, because the user asked for it. */
  readonly approve?: Approve | undefined
  /** The messages of the conversation so far. */
  readonly history?: Trajectory | undefined
}

export interface Session {
  /** Returns true once a tool has opened the database. */
  hasDatabase(): boolean
  /** Validates edited arguments of a call. Returns an error message, or undefined if the call is valid. */
  findFault(call: EditedCall): Promise<string | undefined>
  /** Answers one request. Rejects with `AgentError` if the caller aborts, or with `SqlError` if the database can't be opened. */
  ask(request: string, options?: AskOptions): Promise<RequestRecord>
  /** Closes the agent, the sources of its tools and the database. */
  close(): Promise<void>
}

export const DEFAULT_USER = 'demo'

/**
 * Resolves all tools of the domains, then opens their sources. Rejects with `ToolResolutionError` if a tool is missing. Rejects with the
 * source's own error if a source can't be opened.
 */
export async function openSession(options: SessionOptions): Promise<Session> {
  let broken: ((failure: unknown) => void) | undefined
  const { agent, database, registry, close } = await openDemoAgent({ ...options, onBroken: (failure) => broken?.(failure) })
  return {
    hasDatabase: () => database.isOpen(),
    findFault: (call) => findFaultOfEdit(registry, call),
    close,
    async ask(request, { signal, onEvent, user = DEFAULT_USER, history, approve = () => true } = {}) {
      const started = performance.now()
      const calls = new Map<string, MadeCall>()
      const record = (part: Omit<RequestRecord, 'calls' | 'ms'>): RequestRecord => {
        return { ...part, calls: [...calls.values()], ms: performance.now() - started }
      }
      const breaking = new AbortController()
      broken = (failure) => breaking.abort(failure)
      const either = AbortSignal.any([breaking.signal, ...(signal === undefined ? [] : [signal])])
      const run = agent.run({ request }, { signal: either, context: { user_id: user }, history, approve })
      try {
        for await (const event of run.stream()) {
          noteCall(calls, event)
          // Events after an abort aren't shown.
          if (!either.aborted) onEvent?.(event)
        }
        const { outputs, trajectory } = await run
        return record({ answer: outputs.answer, answered: true, trajectory })
      } catch (error) {
        if (breaking.signal.aborted) throw breaking.signal.reason
        if (!(error instanceof AgentError) || !WITHOUT_ANSWER.has(error.code)) throw error
        const { message: answer, trajectory } = error
        return record({ answer, answered: false, trajectory, ...(error.code === 'model_failed' && { failure: error }) })
      }
    },
  }
}

const WITHOUT_ANSWER: ReadonlySet<string> = new Set(['max_steps', 'invalid_output', 'model_failed'])
