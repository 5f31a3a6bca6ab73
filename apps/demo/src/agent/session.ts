/** Requests to one agent, each with a record of how it went. */
import { AgentError, type AgentEvent, type Approve, type Trajectory } from '@x/react-agent'
import { type DemoAgentOptions, openDemoAgent } from './demo-agent.ts'
import { type MadeCall, noteCall } from './made-calls.ts'

export type SessionOptions = Pick<DemoAgentOptions, 'name' | 'lm' | 'domains' | 'place'>

export interface RequestRecord {
  /** Why there is none, when the model did not get to an answer. */
  readonly answer: string
  readonly answered: boolean
  readonly calls: readonly MadeCall[]
  readonly ms: number
  /** What was said and done, for a request that follows; also when the model failed after some calls. */
  readonly trajectory?: Trajectory | undefined
  /** Set when the model itself failed: it could not be reached, or broke off. */
  readonly failure?: AgentError | undefined
}

export interface AskOptions {
  readonly signal?: AbortSignal | undefined
  readonly onEvent?: ((event: AgentEvent) => void) | undefined
  /** Who asks; `demo` unless told. */
  readonly user?: string | undefined
  /** Asked about calls that need a yes. Unless told there is one: whoever wrote the request has said what they want. */
  readonly approve?: Approve | undefined
  /** What was said and done before in the same conversation. */
  readonly history?: Trajectory | undefined
}

export interface Session {
  /** True once a tool has opened the database. */
  hasDatabase(): boolean
  /** Answers one request. Rejects with `AgentError` when the caller gave up, and with `SqlError` when the database cannot be opened. */
  ask(request: string, options?: AskOptions): Promise<RequestRecord>
  /** Closes what was opened for the tools. */
  close(): Promise<void>
}

export const DEFAULT_USER = 'demo'

/**
 * Resolves all tools of the domains, then opens their sources. Rejects with `ToolResolutionError` when a tool is missing, and
 * with what a source rejects with.
 */
export async function openSession({ name, lm, domains, place }: SessionOptions): Promise<Session> {
  let broken: ((failure: unknown) => void) | undefined
  const { agent, database, close } = await openDemoAgent({ name, lm, domains, place, onBroken: (failure) => broken?.(failure) })
  return {
    hasDatabase: () => database.isOpen(),
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
          // What a call that was stopped has to say is no news.
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
