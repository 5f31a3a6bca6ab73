/** An agent for some domains on one database, with the tools that it was made from. */
import { defineSignature, type LM } from '@x/adapters'
import { AgentError, type AgentEvent, createReactAgent, type Trajectory } from '@x/react-agent'
import { createRegistry } from '@x/registry'
import * as Type from 'typebox'
import type { Domain } from './domains/domain.ts'
import { type Connect, createDatabase } from './sql/database.ts'
import type { DatabasePlace } from './sql/place.ts'

export interface SessionOptions {
  /** Shown in errors. */
  readonly name: string
  readonly lm: LM
  readonly domains: readonly Domain[]
  readonly place: DatabasePlace
}

/** A call that was made, as the model wrote it. */
export interface MadeCall {
  readonly tool: string
  readonly args: Readonly<Record<string, unknown>>
  readonly ok: boolean
}

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
  const database = createDatabase(place)
  let broken: ((failure: unknown) => void) | undefined
  const connect: Connect = (tables) =>
    database.connect(tables).catch((failure: unknown) => {
      // Where the database lies is nothing for a model to read; the run ends with the failure itself.
      broken?.(failure)
      throw new Error('The database is not available.')
    })
  const entries = domains.flatMap((domain) => domain.createTools({ connect }))
  const agent = await createReactAgent({
    name,
    lm,
    tools: createRegistry(entries, { name: 'demo' }),
    signature: defineSignature({
      instructions: [...domains.map(({ instructions }) => instructions), MANNERS].join('\n'),
      inputs: { request: Type.String() },
      outputs: { answer: Type.String() },
    }),
    maxSteps: 12,
  })
  const close = async () => {
    await agent.close()
    // A registry's sources are its owner's business.
    for (const entry of entries) if ('close' in entry) await entry.close?.()
    await database.close()
  }
  try {
    for (const entry of entries) if ('open' in entry) await entry.open?.()
  } catch (error) {
    await close()
    throw error
  }
  return {
    hasDatabase: () => database.isOpen(),
    close,
    async ask(request, { signal, onEvent, user = DEFAULT_USER, history } = {}) {
      const started = performance.now()
      const calls = new Map<string, MadeCall>()
      const record = (part: Omit<RequestRecord, 'calls' | 'ms'>): RequestRecord => {
        return { ...part, calls: [...calls.values()], ms: performance.now() - started }
      }
      const breaking = new AbortController()
      broken = (failure) => breaking.abort(failure)
      const either = AbortSignal.any([breaking.signal, ...(signal === undefined ? [] : [signal])])
      const run = agent.run({ request }, { signal: either, context: { user_id: user }, history })
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
const MANNERS = 'Use the tools as needed, then answer in plain words. When no tool serves the request, say so and call none.'

/** In the order in which they were made, whenever they ended; a call that could not be read has no beginning. */
function noteCall(calls: Map<string, MadeCall>, event: AgentEvent): void {
  if (event.type === 'call_started') calls.set(event.call.id, { tool: event.call.name, args: event.call.args, ok: false })
  if (event.type !== 'call_finished') return
  const { callId, name, ok } = event.observation
  calls.set(callId, { ...(calls.get(callId) ?? { tool: name, args: {} }), ok })
}
