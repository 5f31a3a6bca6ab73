import type { InputsOf, LM, OutputsOf } from '@x/adapters'
import type { Tool } from '@x/tool-core'
import { getWeather } from '../../test/selector/selection.ts'
import { type answer, report } from '../../test/tools.ts'
import type { ReactAgent } from '../create-agent.ts'
import { evaluate } from '../evaluate/evaluate.ts'
import { multiToolSelector } from '../selector/multi-tool-selector.ts'
import { agentTool } from '../tools/agent-tool.ts'
import { chainOfThought } from './chain-of-thought.ts'
import { predict } from './predict.ts'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
function expectType<_T extends true>(): void {}

declare const lm: LM

// chainOfThought returns the outputs of the signature, and the reasoning.
const think = chainOfThought({ lm, signature: report })
const thought = await think({ question: '?' })
expectType<Equal<typeof thought.reasoning, string>>()
expectType<Equal<typeof thought.degrees, number>>()
// @ts-expect-error no such output
void thought.answer
// @ts-expect-error the input field is `question`
void (() => think({ q: '?' }))

// A stream yields events, and is a promise of the same outputs.
const stream = predict({ lm, signature: report }).stream({ question: '?' })
expectType<Equal<Awaited<typeof stream>, { city: string; degrees: number }>>()
for await (const event of stream) {
  if (event.type === 'outputs') expectType<Equal<typeof event.outputs.degrees, number>>()
  if (event.type === 'field') expectType<Equal<typeof event.text, string>>()
}

// A selector takes any tools. The decision contains plain calls.
const { toolCalls } = await multiToolSelector({ lm })('?', [getWeather])
expectType<Equal<(typeof toolCalls)[number]['args'], Readonly<Record<string, unknown>>>>()
// @ts-expect-error no such mode
multiToolSelector({ lm, mode: 'json' })

// The module determines the types of the inputs and the output, and the cases determine the type of the expected value.
const { results } = await evaluate(think, [{ inputs: { question: '?' }, expected: 21 }], (expected, output) => {
  expectType<Equal<typeof expected, number>>()
  return expected === output.degrees
})
expectType<Equal<(typeof results)[number]['expected'], number>>()
expectType<Equal<NonNullable<(typeof results)[number]['output']>['city'], string>>()
// A module may be synchronous.
const atOnce = await evaluate(
  (text: string) => text.length,
  [{ inputs: 'a', expected: 1 }],
  (expected, output) => expected === output,
)
expectType<Equal<NonNullable<(typeof atOnce.results)[number]['output']>, number>>()
// @ts-expect-error the input field is `question`
void (() => evaluate(think, [{ inputs: { q: '?' }, expected: 21 }], () => true))

// agentTool takes the name from its options, and the args and the output from the agent.
declare const agent: ReactAgent<typeof answer>
const tool = agentTool(agent, { name: 'ask_expert', description: 'Asks.', effect: 'read' })
expectType<Equal<typeof tool, Tool<'ask_expert', InputsOf<typeof answer>, OutputsOf<typeof answer>>>>()
void (() => tool.execute({ question: '?' }))
// @ts-expect-error question is missing
void (() => tool.execute({}))
