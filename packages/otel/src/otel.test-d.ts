/** What is traced keeps its types. */
import type { LM } from '@x/adapters'
import type { AgentRun, ReactAgent } from '@x/react-agent'
import type { answer } from '../test/telemetry.ts'
import { traceLM } from './spans/trace-lm.ts'
import { traceRun } from './spans/trace-run.ts'
import { withTelemetry } from './with-telemetry.ts'

type Answer = typeof answer
declare const run: AgentRun<Answer>
declare const agent: ReactAgent<Answer>
declare const lm: LM
declare const streaming: Required<LM>

// A run stays a run: of the same result, and of the same events.
const traced: AgentRun<Answer> = traceRun(run)
const text: string = (await traced).outputs.answer
// @ts-expect-error The output is a text.
const count: number = (await traced).outputs.answer

// An agent stays an agent of its signature.
const same: ReactAgent<Answer> = withTelemetry(agent, { content: true })
// @ts-expect-error The signature asks for a question.
withTelemetry(agent).run({ query: '?' })

// A model that streams is one that streams.
const stream: Required<LM>['stream'] = traceLM(streaming).stream
// @ts-expect-error Not every model does.
const none: Required<LM>['stream'] = traceLM(lm).stream

// @ts-expect-error A bare promise tells of no events.
traceRun(Promise.resolve(1))
// @ts-expect-error No such option.
withTelemetry(agent, { contents: true })

export { count, none, same, stream, text }
