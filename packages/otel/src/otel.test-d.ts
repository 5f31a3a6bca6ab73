/** Traced runs, agents and models keep their types. */
import type { LM } from '@x/adapters'
import type { AgentRun, CallsOf, ReactAgent } from '@x/react-agent'
import type { Tool } from '@x/tool-core'
import type { answer } from '../test/telemetry.ts'
import { traceLM } from './spans/trace-lm.ts'
import { traceRun } from './spans/trace-run.ts'
import { withTelemetry } from './with-telemetry.ts'

type Answer = typeof answer
declare const run: AgentRun<Answer>
declare const agent: ReactAgent<Answer>
declare const lm: LM
declare const streaming: Required<LM>

// A run stays a run with the same result and events.
const traced: AgentRun<Answer> = traceRun(run)
const text: string = (await traced).outputs.answer
// @ts-expect-error The output is a string.
const count: number = (await traced).outputs.answer

// An agent keeps its signature.
const same: ReactAgent<Answer> = withTelemetry(agent, { content: true })
// @ts-expect-error The signature requires a question.
withTelemetry(agent).run({ query: '?' })

// Calls keep their names.
declare function show(at: string, seen: number): void
declare const typed: ReactAgent<Answer, CallsOf<Tool<'look', { at: string }, number>>>
for await (const event of withTelemetry(typed).run({ question: '?' }).stream()) {
  if (event.type !== 'call_finished' || !event.ok) continue
  if (event.name === 'look') show(event.args.at, event.output)
  // @ts-expect-error No tool has this name.
  event.name === 'lok'
}

// A streaming model stays a streaming model.
const stream: Required<LM>['stream'] = traceLM(streaming).stream
// @ts-expect-error Not every model streams.
const none: Required<LM>['stream'] = traceLM(lm).stream

// @ts-expect-error A promise has no events.
traceRun(Promise.resolve(1))
// @ts-expect-error Unknown option.
withTelemetry(agent, { contents: true })

export { count, none, same, stream, text }
