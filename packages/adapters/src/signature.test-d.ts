import { defineTool, type Tool, type ToolCall } from '@x/tool-core'
import { Type } from 'typebox'
import {
  defineSignature,
  type InputsOf,
  type LMResponse,
  nativeAdapter,
  type OutputsOf,
  type Signature,
  ToolCalls,
  Tools,
} from './index.ts'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
function expectType<_T extends true>(): void {}
declare const response: LMResponse

const getWeather = defineTool({
  name: 'get_weather',
  description: 'Weather.',
  args: Type.Object({ city: Type.String() }),
  execute: ({ city }) => city,
})

const plan = defineSignature({
  instructions: 'Decide which tools to call.',
  inputs: { question: Type.String(), limit: Type.Optional(Type.Integer()), tools: Tools() },
  outputs: { reasoning: Type.String(), unit: Type.Enum(['celsius', 'fahrenheit']), tool_calls: ToolCalls() },
})

// Fields become properties; an optional one may be left out.
expectType<Equal<InputsOf<typeof plan>, { limit?: number; question: string; tools: readonly Tool[] }>>()
expectType<
  Equal<OutputsOf<typeof plan>, { reasoning: string; unit: 'celsius' | 'fahrenheit'; tool_calls: readonly ToolCall[] }>
>()

// `format` and `begin` take the inputs of the signature, tools of any arguments among them.
nativeAdapter.format(plan, { question: 'Warm?', tools: [getWeather] })
nativeAdapter.begin(plan, { question: 'Warm?', limit: 3, tools: [] })
// @ts-expect-error an input is missing
nativeAdapter.format(plan, { question: 'Warm?' })
// @ts-expect-error an input of the wrong type
nativeAdapter.format(plan, { question: 7, tools: [] })
// @ts-expect-error an input that the signature does not declare
nativeAdapter.format(plan, { question: 'Warm?', tools: [], mood: 'good' })
// @ts-expect-error a spec is no tool
nativeAdapter.format(plan, { question: 'Warm?', tools: [{ name: 'get_weather' }] })
// @ts-expect-error temperature is a setting, not an option
nativeAdapter.format(plan, { question: 'Warm?', tools: [] }, { temperature: 0 })

// `parse` gives the outputs of the signature; arguments are unknown until a tool has checked them.
const { outputs, errors } = nativeAdapter.parse(plan, response)
expectType<Equal<typeof outputs.reasoning, string>>()
expectType<Equal<(typeof outputs.tool_calls)[number]['args'], Readonly<Record<string, unknown>>>>()
expectType<Equal<(typeof errors)[number]['field'], string>>()
// @ts-expect-error no such output
outputs.answer
// @ts-expect-error outputs are not written to
outputs.tool_calls.push({ id: '1', name: 'a', args: {} })

// Tools and tool calls are fields like any other.
const bare = defineSignature({ instructions: '', inputs: {}, outputs: { answer: Type.Optional(Type.Number()) } })
nativeAdapter.format(bare, {})
expectType<Equal<OutputsOf<typeof bare>, { answer?: number }>>()
// @ts-expect-error instructions are required
defineSignature({ inputs: {}, outputs: { answer: Type.String() } })

// Every signature is a plain `Signature`.
const any: Signature = plan
void any
