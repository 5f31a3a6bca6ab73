import { type ArgsOf, jsonSchema, type NameOf, type OutputOf, type Tool, type TypedSchema } from '@x/tool-core'
import * as Type from 'typebox'
import { method } from './method.ts'
import type { SnakeCase } from './name.ts'
import { Toolset, type ToolsOf } from './toolset.ts'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
function expectType<_T extends true>(): void {}

class Notes extends Toolset {
  readonly name = 'notes'
  readonly add = method({ description: 'Adds.', args: Type.Object({ key: Type.String() }), execute: ({ key }) => key.length })
  readonly find = method({
    description: 'Finds.',
    args: Type.Object({}),
    toModelOutput: (text) => {
      expectType<Equal<typeof text, string | null>>()
      return text ?? 'nothing'
    },
    execute: async (): Promise<string | null> => null,
  })
  readonly count = method({
    description: 'Counts.',
    args: Type.Object({}),
    async *execute() {
      yield 'half'
      return 2
    },
  })
}

// Tool names are literals.
const notes = new Notes()
expectType<Equal<NameOf<ToolsOf<Notes>>, 'notes_add' | 'notes_find' | 'notes_count'>>()

// A method stays a method of the class, with its own types. The output of a generator is what it returns.
const value = await notes.find({})
expectType<Equal<typeof value, string | null>>()
const count = await notes.count({})
expectType<Equal<typeof count, number>>()
// @ts-expect-error The key is missing.
void (() => notes.add({}))
// @ts-expect-error The key is not a string.
void (() => notes.add({ key: 1 }))

class Probe extends Toolset {
  readonly name = 'probe'
  readonly label = 'not a tool'
  readonly listKeys = method({ description: 'Lists.', args: Type.Object({}), execute: () => ['a'] })
  readonly parseURL = method({ description: 'Parses.', args: Type.Object({}), execute: async () => 1 })
  readonly renamed = method({ name: 'whole_name', description: 'Renamed.', args: Type.Object({}), execute: () => null })
  readonly aMethodWithAVeryLongNameOfAlmostSixtyCharactersInAll = method({
    description: 'Long.',
    args: Type.Object({}),
    execute: () => null,
  })
  readonly whoami = method({
    description: 'Who.',
    args: Type.Object({ loud: Type.Optional(Type.Boolean()) }),
    context: Type.Object({ user: Type.String() }),
    execute: ({ loud }, { values, signal }) => {
      expectType<Equal<typeof loud, boolean | undefined>>()
      expectType<Equal<typeof values.user, string>>()
      expectType<Equal<typeof signal, AbortSignal>>()
      // @ts-expect-error The value is not declared.
      return values.tenant
    },
  })
  ordinary(): string {
    return 'not a tool'
  }
}

// Names are in snake case, unless the whole name is given. Only `method()` fields have tools.
expectType<
  Equal<
    NameOf<ToolsOf<Probe>>,
    | 'probe_list_keys'
    | 'probe_parse_url'
    | 'whole_name'
    | 'probe_a_method_with_a_very_long_name_of_almost_sixty_characters_in_all'
    | 'probe_whoami'
  >
>()

// Plurals of acronyms, `As` after an acronym, and versions are converted as at run time.
expectType<
  Equal<
    SnakeCase<'listURLs' | 'getIDsOf' | 'parseHTMLAsText' | 'getIPv4Address' | 'isURLSet'>,
    'list_urls' | 'get_ids_of' | 'parse_html_as_text' | 'get_ipv4_address' | 'is_url_set'
  >
>()

// The types of arguments and outputs are those of the methods.
type ListKeys = Extract<ToolsOf<Probe>, { name: 'probe_list_keys' }>
expectType<Equal<OutputOf<ListKeys>, string[]>>()
expectType<Equal<OutputOf<Extract<ToolsOf<Probe>, { name: 'probe_parse_url' }>>, number>>()
expectType<Equal<keyof ArgsOf<Extract<ToolsOf<Probe>, { name: 'probe_whoami' }>>, 'loud'>>()
const anyTools: readonly Tool[] = new Probe().tools()
void anyTools

// Every subclass is assignable to Toolset.
const anyToolset: Toolset = new Probe()
expectType<Equal<ReturnType<typeof anyToolset.tools>, readonly Tool[]>>()

// T0-6: A toolset must have a name.

// @ts-expect-error The name is missing.
class Nameless extends Toolset {}
void Nameless

// Schemas can be of any kind.
declare const amounts: TypedSchema<{ amount: string }, { amount: number }>
class Payments extends Toolset {
  readonly name = 'payments'
  readonly pay = method({ description: 'Pays.', args: amounts, execute: ({ amount }) => amount.toFixed() })
  readonly find = method({
    description: 'Finds.',
    args: jsonSchema({ type: 'object', properties: { id: { type: 'string' } }, required: ['id'] }),
    context: jsonSchema<{ user: string }>({ type: 'object' }),
    execute: ({ id }, { values }) => id.concat(values.user),
  })
}
expectType<Equal<ArgsOf<Extract<ToolsOf<Payments>, { name: 'payments_pay' }>>, { amount: number }>>()
expectType<Equal<ArgsOf<Extract<ToolsOf<Payments>, { name: 'payments_find' }>>, { id: string }>>()
const place = method({
  description: 'Places.',
  args: Type.Object({ count: Type.With(Type.Integer(), { default: 1 }) }),
  execute: ({ count }) => count.toFixed(),
})
void (() => place({}))
// @ts-expect-error A JSON Schema must be wrapped in jsonSchema().
void (() => method({ description: 'Pays.', args: { type: 'object' }, execute: () => 1 }))

// T0-5: A method must have a description.

// @ts-expect-error The description is missing.
void (() => method({ args: Type.Object({}), execute: () => 1 }))
