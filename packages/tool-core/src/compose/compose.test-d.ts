import { Type } from 'typebox'
import {
  type Action,
  type ArgsOf,
  defineAction,
  defineTool,
  deriveTool,
  type NameOf,
  type OutputOf,
  parallel,
  sequence,
} from '../index.ts'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
function expectType<_T extends true>(): void {}

const findUser = defineAction({
  name: 'find_user',
  description: 'Finds.',
  args: Type.Object({ name: Type.String() }),
  output: Type.Object({ id: Type.String() }),
  execute: ({ name }) => ({ id: name }),
})
const openAccount = defineAction({
  name: 'open_account',
  description: 'Opens.',
  args: Type.Object({ id: Type.String() }),
  output: Type.Object({ account: Type.Integer() }),
  execute: () => ({ account: 1 }),
})
const pay = defineAction({
  name: 'pay',
  description: 'Pays.',
  args: Type.Object({ account: Type.Integer() }),
  output: Type.Object({ receipt: Type.String() }),
  execute: () => ({ receipt: 'r' }),
})

// A sequence of three steps: each output must fit the next step's arguments.
const flow = sequence('flow', findUser, openAccount, pay)
expectType<Equal<typeof flow, Action<'flow', { name: string }, { receipt: string }>>>()
// @ts-expect-error An account is not a user.
void (() => sequence('flow', findUser, pay, openAccount))

// A parallel action takes the arguments of all actions, and returns their outputs by key.
const both = parallel('both', { user: findUser, account: openAccount })
expectType<Equal<NameOf<typeof both>, 'both'>>()
expectType<Equal<OutputOf<typeof both>, { readonly user: { id: string }; readonly account: { account: number } }>>()
expectType<Equal<keyof ArgsOf<typeof both>, 'name' | 'id'>>()
void (() => both.execute({ name: 'a', id: 'b' }))
// @ts-expect-error The id is missing.
void (() => both.execute({ name: 'a' }))
// @ts-expect-error A tool without an output schema is not a step.
void (() => parallel('x', { now: defineTool({ name: 'now', description: 'N.', args: Type.Object({}), execute: () => 1 }) }))

// A generator yields progress and returns the output, which toModelOutput receives.
const counted = defineTool({
  name: 'count',
  description: 'Counts.',
  args: Type.Object({ to: Type.Integer() }),
  execute: async function* ({ to }) {
    yield 'progress'
    return { counted: to }
  },
  toModelOutput: ({ counted }) => `${counted.toFixed()} in all`,
})
expectType<Equal<OutputOf<typeof counted>, { counted: number }>>()
defineTool({
  name: 'now',
  description: 'Now.',
  args: Type.Object({}),
  execute: () => ({ at: 1 }),
  // @ts-expect-error The output has no such field.
  toModelOutput: ({ nowhere }) => nowhere,
})

// deriveTool changes the name and keeps the types. Without a new name, it keeps the name too.
const renamed = deriveTool(findUser, { name: 'look_up_user' })
expectType<Equal<NameOf<typeof renamed>, 'look_up_user'>>()
expectType<Equal<ArgsOf<typeof renamed>, { name: string }>>()
const approved = deriveTool(findUser, { needsApproval: true })
expectType<Equal<NameOf<typeof approved>, 'find_user'>>()
