import { defineTool, jsonSchema, type Tool, type ToolCall, type TypedSchema } from '@x/tool-core'
import { Type } from 'typebox'
import {
  defineSignature,
  type InputsOf,
  type LMResponse,
  nativeAdapter,
  type OutputsOf,
  type Signature,
  ToolCalls,
  Tool as ToolField,
  Tools,
} from '../index.ts'

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

// Fields become properties, and optional fields may be omitted.
expectType<Equal<InputsOf<typeof plan>, { limit?: number; question: string; tools: readonly Tool[] }>>()
expectType<
  Equal<OutputsOf<typeof plan>, { reasoning: string; unit: 'celsius' | 'fahrenheit'; tool_calls: readonly ToolCall[] }>
>()

// `format` and `begin` accept the inputs of the signature, including tools with any arguments.
nativeAdapter.format(plan, { question: 'Warm?', tools: [getWeather] })
nativeAdapter.begin(plan, { question: 'Warm?', limit: 3, tools: [] })
// @ts-expect-error An input is missing.
nativeAdapter.format(plan, { question: 'Warm?' })
// @ts-expect-error An input has the wrong type.
nativeAdapter.format(plan, { question: 7, tools: [] })
// @ts-expect-error The signature doesn't declare this input.
nativeAdapter.format(plan, { question: 'Warm?', tools: [], mood: 'good' })
// @ts-expect-error A spec isn't a tool.
nativeAdapter.format(plan, { question: 'Warm?', tools: [{ name: 'get_weather' }] })
// @ts-expect-error `temperature` isn't a request option.
nativeAdapter.format(plan, { question: 'Warm?', tools: [] }, { temperature: 0 })

// `parse` returns the outputs of the signature. Arguments have type unknown until a tool has validated them.
const { outputs, errors } = nativeAdapter.parse(plan, response)
expectType<Equal<typeof outputs.reasoning, string>>()
expectType<Equal<(typeof outputs.tool_calls)[number]['args'], Readonly<Record<string, unknown>>>>()
expectType<Equal<(typeof errors)[number]['field'], string>>()
// @ts-expect-error The signature has no such output.
outputs.answer
// @ts-expect-error Outputs are read-only.
outputs.tool_calls.push({ id: '1', name: 'a', args: {} })

// Fields for tools and tool calls are optional.
const bare = defineSignature({ instructions: '', inputs: {}, outputs: { answer: Type.Optional(Type.Number()) } })
nativeAdapter.format(bare, {})
expectType<Equal<OutputsOf<typeof bare>, { answer?: number }>>()
// @ts-expect-error Instructions are required.
defineSignature({ inputs: {}, outputs: { answer: Type.String() } })

// A string declares the same types: strings by default, lists, choices and optional fields.
const asked = defineSignature(
  `question, context: string[], depth?: integer
   -> answer: string, score?:number, mood: 'good' | "very bad", isSure: boolean , weights : number[]`,
)
expectType<Equal<InputsOf<typeof asked>, { question: string; context: string[]; depth?: number }>>()
expectType<
  Equal<
    OutputsOf<typeof asked>,
    { answer: string; mood: 'good' | 'very bad'; isSure: boolean; weights: number[]; score?: number }
  >
>()
nativeAdapter.format(asked, { question: 'Warm?', context: [] })
// @ts-expect-error An input is missing.
nativeAdapter.format(asked, { question: 'Warm?' })
// @ts-expect-error An input has the wrong type.
nativeAdapter.format(asked, { question: 'Warm?', context: ['x'], depth: 'deep' })

// A signature may have no inputs. If the string isn't known at compile time, fields may have any name.
const poem = defineSignature('-> poem')
expectType<Equal<keyof InputsOf<typeof poem>, never>>()
declare const text: string
const unknownFields = defineSignature(text)
expectType<Equal<OutputsOf<typeof unknownFields>, Record<string, unknown>>>()

// An unknown type has the type `never`, because the definition throws.
const mistyped = defineSignature('question -> answer: text')
expectType<Equal<OutputsOf<typeof mistyped>, { answer: never }>>()

// Schemas of any library: a field has the input type of its schema.
declare const length: TypedSchema<string, number>
declare const hint: TypedSchema<string | undefined, string>
const mixed = defineSignature({
  instructions: '',
  inputs: { length, hint, count: Type.Integer(), place: jsonSchema<{ city: string }>({}) },
  outputs: { mood: jsonSchema({ enum: ['good', 'bad'] }), more: Type.Optional(jsonSchema<number>({})), any: jsonSchema({}) },
})
expectType<Equal<InputsOf<typeof mixed>, { length: string; hint?: string; count: number; place: { city: string } }>>()
expectType<Equal<OutputsOf<typeof mixed>, { mood: 'good' | 'bad'; more?: number; any: unknown }>>()
declare const valibot: { '~standard': { vendor: 'valibot' } }
// @ts-expect-error The schema has no JSON form.
defineSignature({ instructions: '', inputs: {}, outputs: { answer: valibot } })

// A field may contain a single tool.
const one = defineSignature({ instructions: '', inputs: { tool: ToolField() }, outputs: { tool_calls: ToolCalls() } })
nativeAdapter.format(one, { tool: getWeather })
// @ts-expect-error A list isn't a single tool.
nativeAdapter.format(one, { tool: [getWeather] })

// Examples have the types of the signature. They contain no tools, and may omit outputs.
defineSignature('question -> answer, score: number', {
  examples: [{ inputs: { question: 'Warm?' }, outputs: { answer: 'Yes.' } }, { inputs: { question: 'Cold?' } }],
})
// @ts-expect-error An output has the wrong type.
defineSignature('question -> answer, score: number', { examples: [{ inputs: { question: 'q' }, outputs: { score: 'high' } }] })
// @ts-expect-error An input is missing.
defineSignature('question -> answer', { examples: [{ inputs: {}, outputs: { answer: 'Yes.' } }] })
defineSignature({
  instructions: '',
  inputs: { question: Type.String(), tools: Tools() },
  outputs: { tool_calls: ToolCalls() },
  examples: [{ inputs: { question: 'Warm?' }, outputs: { tool_calls: [{ id: 'a', name: 'get_weather', args: {} }] } }],
})
const withTools = { instructions: '', inputs: { question: Type.String(), tools: Tools() }, outputs: { answer: Type.String() } }
// @ts-expect-error Examples contain no tools.
defineSignature({ ...withTools, examples: [{ inputs: { question: 'Warm?', tools: [] } }] })

// Every signature is assignable to `Signature`.
const any: Signature = plan
void any
