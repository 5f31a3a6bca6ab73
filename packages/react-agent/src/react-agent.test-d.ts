import type { LM } from '@x/adapters'
import { createRegistry } from '@x/registry'
import { getWeather, report } from '../test/tools.ts'
import { predict } from './predict/predict.ts'
import { createReactAgent } from './react-agent.ts'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
function expectType<_T extends true>(): void {}

declare const lm: LM

const agent = await createReactAgent({ lm, tools: createRegistry([getWeather]), signature: report })
const run = agent.run({ question: 'Oslo?' })
const { outputs } = await run
expectType<Equal<typeof outputs, { city: string; degrees: number }>>()
// @ts-expect-error the input field is `question`
agent.run({ q: 'Oslo?' })
// @ts-expect-error a tool is an object, not a name
await createReactAgent({ lm, tools: ['get_weather'], signature: report })

for await (const event of run.stream()) {
  if (event.type === 'finished') expectType<Equal<typeof event.result.outputs.degrees, number>>()
}

const ask = predict({ lm, signature: report })
const { outputs: predicted, usage } = await ask.run({ question: '?' })
expectType<Equal<typeof predicted, { city: string; degrees: number }>>()
expectType<Equal<typeof usage.inputTokens, number | undefined>>()
expectType<Equal<Awaited<ReturnType<typeof ask>>, { city: string; degrees: number }>>()
