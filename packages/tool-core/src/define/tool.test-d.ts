import { Type } from 'typebox'
import {
  type Action,
  type ArgsOf,
  callTool,
  defineAction,
  defineTool,
  deriveTool,
  type NameOf,
  type OutputOf,
  sequence,
  type Tool,
  type ToolResult,
} from '../index.ts'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
function expectType<_T extends true>(): void {}

// defineTool gets a literal name, the arguments from the schema, and the output from execute.
const weather = defineTool({
  name: 'get_weather',
  description: 'Weather.',
  args: Type.Object({
    city: Type.String(),
    unit: Type.Optional(Type.Enum(['celsius', 'fahrenheit'])),
    days: Type.Integer({ default: 1 }),
  }),
  execute: async ({ city, unit, days }) => {
    expectType<Equal<typeof city, string>>()
    expectType<Equal<typeof unit, 'celsius' | 'fahrenheit' | undefined>>()
    return { degrees: days }
  },
})
type WeatherArgs = { city: string; unit?: 'celsius' | 'fahrenheit'; days: number }
expectType<Equal<NameOf<typeof weather>, 'get_weather'>>()
expectType<Equal<ArgsOf<typeof weather>['city'], string>>()
expectType<Equal<keyof ArgsOf<typeof weather>, keyof WeatherArgs>>()
expectType<Equal<OutputOf<typeof weather>, { degrees: number }>>()

// A tool without arguments, and an output that is a union.
const now = defineTool({ name: 'now', description: 'Now.', args: Type.Object({}), execute: (): string | null => null })
expectType<Equal<OutputOf<typeof now>, string | null>>()
expectType<Equal<NameOf<typeof weather | typeof now>, 'get_weather' | 'now'>>()
expectType<Equal<NameOf<string>, never>>()

// Every tool is a Tool.
const tools: readonly Tool[] = [weather, now]
expectType<Equal<(typeof tools)[number]['name'], string>>()

// execute is typed for your own code, and a call keeps the type of the output.
void (() => weather.execute({ city: 'Oslo', days: 1 }))
// @ts-expect-error The city is missing.
void (() => weather.execute({ days: 1 }))
// @ts-expect-error There is no such unit.
void (() => weather.execute({ city: 'Oslo', days: 1, unit: 'kelvin' }))
const calling = () => callTool(weather, { id: '1', name: 'get_weather', args: { city: 'Oslo' } })
expectType<Equal<Awaited<ReturnType<typeof calling>>, ToolResult<{ degrees: number }>>>()
const callingAny = (tool: typeof weather | typeof now) => callTool(tool, { id: '1', name: tool.name, args: {} })
expectType<Equal<Awaited<ReturnType<typeof callingAny>>, ToolResult<{ degrees: number } | string | null>>>()
const callingUntyped = (tool: Tool) => callTool(tool, { id: '1', name: tool.name, args: {} })
expectType<Equal<Awaited<ReturnType<typeof callingUntyped>>, ToolResult>>()

// `ok` discriminates the result.
void ((result: ToolResult<number>) => {
  if (result.ok) expectType<Equal<typeof result.output, number>>()
  else expectType<Equal<typeof result.error.name, 'ToolError'>>()
})

// The types of context values come from their schema.
defineTool({
  name: 'whoami',
  description: 'Who.',
  args: Type.Object({}),
  context: Type.Object({ user: Type.String() }),
  execute: (_args, { values, signal }) => {
    expectType<Equal<typeof values.user, string>>()
    expectType<Equal<typeof signal, AbortSignal>>()
    // @ts-expect-error The value is not declared.
    return values.tenant
  },
})

// T3-6: name, description, args and execute are required, and args must be an object schema.

// @ts-expect-error The description is missing.
void (() => defineTool({ name: 'x', args: Type.Object({}), execute: () => 1 }))
// @ts-expect-error The args are missing.
void (() => defineTool({ name: 'x', description: 'X.', execute: () => 1 }))
// @ts-expect-error This isn't an object schema.
void (() => defineTool({ name: 'x', description: 'X.', args: Type.String(), execute: () => 1 }))
// @ts-expect-error There is no such effect.
void (() => defineTool({ name: 'x', description: 'X.', args: Type.Object({}), effect: 'none', execute: () => 1 }))

// In defineAction, execute must return what `output` declares, and hooks are typed.
const findUser = defineAction({
  name: 'find_user',
  description: 'Finds.',
  args: Type.Object({ name: Type.String() }),
  output: Type.Object({ userId: Type.String() }),
  hooks: {
    beforeExecute: ({ name }) => expectType<Equal<typeof name, string>>(),
    afterExecute: ({ userId }) => ({ userId: `${userId}!` }),
    onError: ({ code }) => code === 'timeout',
  },
  execute: ({ name }) => ({ userId: name }),
})
expectType<Equal<typeof findUser, Action<'find_user', { name: string }, { userId: string }>>>()
void (() =>
  defineAction({
    name: 'x',
    description: 'X.',
    args: Type.Object({}),
    output: Type.Object({ userId: Type.String() }),
    // @ts-expect-error The output doesn't match the schema.
    execute: () => ({ userId: 1 }),
  }))

// deriveTool keeps the types. With another kind, the result is not an action.
const find = deriveTool(findUser, { name: 'find' })
expectType<Equal<typeof find, Action<'find', { name: string }, { userId: string }>>>()
const workflow = deriveTool(findUser, { kind: 'workflow' })
expectType<Equal<typeof workflow, Tool<'find_user', { name: string }, { userId: string }>>>()

// In a sequence, the first output must fit the second step's arguments.
const transfer = defineAction({
  name: 'transfer',
  description: 'Transfers.',
  args: Type.Object({ userId: Type.String() }),
  output: Type.Object({ receipt: Type.String() }),
  execute: ({ userId }) => ({ receipt: userId }),
})
const transferAmount = defineAction({
  name: 'transfer_amount',
  description: 'Transfers.',
  args: Type.Object({ userId: Type.String(), amount: Type.Number() }),
  output: Type.Object({ receipt: Type.String() }),
  execute: ({ userId }) => ({ receipt: userId }),
})
const both = sequence('find_and_transfer', findUser, transfer)
expectType<Equal<typeof both, Action<'find_and_transfer', { name: string }, { receipt: string }>>>()
// @ts-expect-error A receipt is not a user.
void (() => sequence('backwards', transfer, transfer))
// @ts-expect-error The amount is missing, although the rest matches.
void (() => sequence('incomplete', findUser, transferAmount))
