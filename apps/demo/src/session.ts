/** An agent for some domains, with the tools that it was made from. */
import { defineSignature, type LM } from '@x/adapters'
import { AgentError, type AgentEvent, createReactAgent } from '@x/react-agent'
import { createRegistry } from '@x/registry'
import * as Type from 'typebox'
import type { Domain, DomainSettings } from './domains/domain.ts'

export interface SessionOptions {
  /** Shown in errors. */
  readonly name: string
  readonly lm: LM
  readonly domains: readonly Domain[]
  readonly settings: DomainSettings
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
}

export interface AskOptions {
  readonly signal?: AbortSignal | undefined
  readonly onEvent?: ((event: AgentEvent) => void) | undefined
}

export interface Session {
  /** Answers one request. Rejects with `AgentError` when the model failed or the caller gave up. */
  ask(request: string, options?: AskOptions): Promise<RequestRecord>
  /** Closes what was opened for the tools. */
  close(): Promise<void>
}

/**
 * Resolves all tools of the domains, then opens their sources. Rejects with `ToolResolutionError` when a tool is missing, and
 * with what a source rejects with.
 */
export async function openSession({ name, lm, domains, settings }: SessionOptions): Promise<Session> {
  const entries = domains.flatMap((domain) => domain.createTools(settings))
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
  }
  try {
    for (const entry of entries) if ('open' in entry) await entry.open?.()
  } catch (error) {
    await close()
    throw error
  }
  return {
    close,
    async ask(request, { signal, onEvent } = {}) {
      const started = performance.now()
      const calls = new Map<string, MadeCall>()
      const record = (answer: string, answered: boolean): RequestRecord => {
        return { answer, answered, calls: [...calls.values()], ms: performance.now() - started }
      }
      const run = agent.run({ request }, { signal })
      try {
        for await (const event of run.events()) {
          noteCall(calls, event)
          // What a call that was stopped has to say is no news.
          if (!signal?.aborted) onEvent?.(event)
        }
        return record((await run).outputs.answer, true)
      } catch (error) {
        const isWithoutAnswer = error instanceof AgentError && (error.code === 'max_steps' || error.code === 'invalid_output')
        if (!isWithoutAnswer) throw error
        return record(error.message, false)
      }
    },
  }
}

const MANNERS = 'Use the tools as needed, then answer in plain words. When no tool serves the request, say so and call none.'

/** In the order in which they were made, whenever they ended; a call that could not be read has no beginning. */
function noteCall(calls: Map<string, MadeCall>, event: AgentEvent): void {
  if (event.type === 'call_started') calls.set(event.call.id, { tool: event.call.name, args: event.call.args, ok: false })
  if (event.type !== 'call_finished') return
  const { callId, name, ok } = event.observation
  calls.set(callId, { ...(calls.get(callId) ?? { tool: name, args: {} }), ok })
}
