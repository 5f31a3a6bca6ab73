import { defineTool, type Tool, type ToolMap, type ToolResolver, type ToolSource, type TypedSchema } from '@x/tool-core'
import { Type } from 'typebox'
import {
  createRegistry,
  defineToolFactory,
  type EntryName,
  type ExecuteResult,
  type LazyTool,
  lazy,
  lazyToolset,
  type NamePattern,
  tool,
} from './index.ts'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
function expectType<_T extends true>(): void {}

const city = { description: 'Probe.', args: Type.Object({ city: Type.String() }), execute: () => 1 }
const getWeather = defineTool({ name: 'get_weather', ...city })
const webSearch = defineTool({ name: 'web_search', ...city })
const store = defineTool({ name: 'memory_store', ...city })
const list = defineTool({ name: 'memory_list', ...city })
const memory = { name: 'memory', tools: (): readonly (typeof store | typeof list)[] => [store, list] }

// The names of tools, of tool sources and of lazy tools.
const registry = createRegistry([getWeather, memory, lazy('web_search', async () => ({ default: webSearch }))])
type Names = 'get_weather' | 'web_search' | 'memory_store' | 'memory_list'
expectType<Equal<(typeof registry)['names'], readonly Names[]>>()
expectType<Equal<EntryName<typeof getWeather | LazyTool<'a'>>, 'get_weather' | 'a'>>()

// A pattern is a name, or a prefix with a star.
expectType<Equal<NamePattern<Names>, Names | 'get_*' | 'web_*' | 'memory_*'>>()
expectType<Equal<NamePattern<'plain'>, 'plain'>>()
expectType<Equal<NamePattern<'shop_cart_add'>, 'shop_cart_add' | 'shop_*' | 'shop_cart_*'>>()
const resolving = () => registry.resolve('get_weather', 'memory_*')
type Resolved = Awaited<ReturnType<typeof resolving>>
// The map has each tool under its name, with its type.
declare const resolved: Resolved
const found = resolved.get('get_weather')
expectType<Equal<typeof found, typeof getWeather>>()
const member = resolved.get('memory_list')
expectType<Equal<typeof member, typeof list>>()
// @ts-expect-error This tool isn't resolved.
resolved.get('web_search')
// @ts-expect-error The name has a typo.
resolved.get('get_wether')
const map: ToolMap = resolved
void map
const all = () => registry.resolve()
const search = (tools: Awaited<ReturnType<typeof all>>) => tools.get('web_search')
expectType<Equal<ReturnType<typeof search>, typeof webSearch>>()

// The name determines the types of the arguments and the output of execute.
const executing = () => registry.execute('web_search', { city: 'Oslo' })
expectType<Equal<Awaited<ReturnType<typeof executing>>, ExecuteResult<number>>>()
const calling = () => registry.execute({ id: '1', name: 'anything', args: {} })
expectType<Equal<Awaited<ReturnType<typeof calling>>, ExecuteResult>>()
const callingRaw = () => registry.execute({ id: '1', name: 'anything', arguments: '{}' })
expectType<Equal<Awaited<ReturnType<typeof callingRaw>>, ExecuteResult>>()
// @ts-expect-error Parsed arguments are called `args`.
void (() => registry.execute({ id: '1', name: 'anything', arguments: {} }))
// @ts-expect-error A city is a string.
void (() => registry.execute('web_search', { city: 1 }))
// @ts-expect-error The city is missing.
void (() => registry.execute('web_search', {}))
// @ts-expect-error The name has a typo.
void (() => registry.execute('web_serch', { city: 'Oslo' }))

// @ts-expect-error The name has a typo.
void (() => registry.resolve('web_serch'))
// @ts-expect-error The pattern has a typo.
void (() => registry.resolve('memoy_*'))
// @ts-expect-error The name has a typo.
void (() => registry.tools('get_weather', 'web_serch'))

// References keep their name.
const reference = registry.tool('web_search')
expectType<Equal<typeof reference, LazyTool<'web_search', typeof webSearch>>>()
expectType<Equal<ReturnType<typeof reference.load>, Promise<typeof webSearch>>>()
const references = registry.tools('memory_*')
type Reference = LazyTool<'memory_store', typeof store> | LazyTool<'memory_list', typeof list>
expectType<Equal<typeof references, readonly Reference[]>>()
// @ts-expect-error The name has a typo.
void (() => registry.tool('web_serch'))
// @ts-expect-error A pattern is not a name.
void (() => registry.tool('memory_*'))

// A lazy tool has the registered name, as a default export or on its own.
const lazySearch = lazy('web_search', async () => ({ default: webSearch }))
expectType<Equal<typeof lazySearch, LazyTool<'web_search', typeof webSearch>>>()
void (() => lazy('web_search', async () => webSearch))
// @ts-expect-error The module's tool has another name.
void (() => lazy('websearch', async () => ({ default: webSearch })))
// @ts-expect-error This is not a tool.
void (() => lazy('web_search', async () => ({ default: 1 })))

// If names are known only at run time, any name is accepted. A registry is also a resolver.
declare const plugins: readonly Tool[]
declare const source: ToolSource
const dynamic = createRegistry([...plugins, source])
expectType<Equal<(typeof dynamic)['names'], readonly string[]>>()
void (() => dynamic.resolve('anything', 'any_*'))
const anything = (tools: Awaited<ReturnType<typeof dynamic.resolve>>) => tools.get('anything')
expectType<Equal<ReturnType<typeof anything>, Tool | undefined>>()
const resolver: ToolResolver = registry
void resolver

// @ts-expect-error This is not an entry.
void (() => createRegistry([{ name: 'get_weather' }]))

// Changes return the same registry, with a type that includes the new names.
const wider = createRegistry([getWeather]).register(webSearch, memory)
expectType<Equal<(typeof wider)['names'], readonly ('get_weather' | 'web_search' | 'memory_store' | 'memory_list')[]>>()
const aliased = createRegistry([getWeather]).alias('weather', 'get_weather')
expectType<Equal<(typeof aliased)['names'], readonly ('get_weather' | 'weather')[]>>()
expectType<Equal<(typeof aliased)['names'], readonly ('get_weather' | 'weather')[]>>()
// An alias resolves to the tool under its own name.
const resolvingAlias = () => aliased.resolve('weather')
const ofAlias = (tools: Awaited<ReturnType<typeof resolvingAlias>>) => tools.get('get_weather')
expectType<Equal<ReturnType<typeof ofAlias>, typeof getWeather>>()
const merged = createRegistry([getWeather]).merge(createRegistry([webSearch]))
expectType<Equal<(typeof merged)['names'], readonly ('get_weather' | 'web_search')[]>>()
const child = createRegistry([getWeather], { parent: createRegistry([webSearch]) })
expectType<Equal<(typeof child)['names'], readonly ('get_weather' | 'web_search')[]>>()
const inherited = () => child.execute('web_search', { city: 'Oslo' })
expectType<Equal<Awaited<ReturnType<typeof inherited>>, ExecuteResult<number>>>()
// An entry takes precedence over the parent's.
const own = createRegistry([defineTool({ ...city, name: 'web_search', execute: () => 'text' })], { parent: wider })
const overriding = () => own.execute('web_search', { city: 'Oslo' })
expectType<Equal<Awaited<ReturnType<typeof overriding>>, ExecuteResult<string>>>()
// @ts-expect-error The name is unknown.
void (() => createRegistry([getWeather]).alias('weather', 'get_wether'))

// Lazy toolsets have the types of their names, or accept any name with their prefix.
const listed = createRegistry([lazyToolset('memory', async () => memory, ['memory_store'])])
expectType<Equal<(typeof listed)['names'], readonly 'memory_store'[]>>()
const unlisted = createRegistry([lazyToolset('memory', async () => memory)])
const resolvingAny = () => unlisted.resolve('memory_anything')
const perhaps = (tools: Awaited<ReturnType<typeof resolvingAny>>) => tools.get('memory_anything')
expectType<Equal<ReturnType<typeof perhaps>, Tool<`memory_${string}`> | undefined>>()
// @ts-expect-error The toolset has no tool with this name.
void (() => lazyToolset('memory', async () => memory, ['store']))
// @ts-expect-error The name lacks the prefix.
void (() => unlisted.resolve('web_search'))

// A factory's options are typed, and a reference may have another name.
const factory = defineToolFactory({
  name: 'web_search',
  options: Type.Object({ maxResults: Type.Integer() }),
  create: ({ maxResults }) => {
    expectType<Equal<typeof maxResults, number>>()
    return webSearch
  },
})
const few = tool(factory, { maxResults: 3 }, { as: 'few' })
expectType<Equal<typeof few, LazyTool<'few', Tool<'few', { city: string }, number>>>>()
const plain = tool(factory, () => ({ maxResults: 3 }))
expectType<Equal<typeof plain, LazyTool<'web_search', typeof webSearch>>>()
expectType<Equal<EntryName<typeof factory>, 'web_search'>>()
// A factory's tool is typed too.
const ofFactory = () => createRegistry([factory]).execute('web_search', { city: 'Oslo' })
expectType<Equal<Awaited<ReturnType<typeof ofFactory>>, ExecuteResult<number>>>()
const ofReference = () => createRegistry([few]).execute('few', { city: 'Oslo' })
expectType<Equal<Awaited<ReturnType<typeof ofReference>>, ExecuteResult<number>>>()
// A reference keeps its own name where any name is expected.
const inPlace = createRegistry([getWeather, tool(factory, { maxResults: 3 }), registry.tool('memory_list')])
expectType<Equal<(typeof inPlace)['names'], readonly ('get_weather' | 'web_search' | 'memory_list')[]>>()
const renamed = createRegistry([tool(getWeather, undefined, { as: 'weather' }), tool(webSearch), tool(memory)])
expectType<Equal<(typeof renamed)['names'], readonly ('weather' | 'web_search' | 'memory_store' | 'memory_list')[]>>()
expectType<Equal<ReturnType<typeof tool<typeof memory>>, typeof memory>>()
const whole = tool(memory)
expectType<Equal<EntryName<typeof whole>, 'memory_store' | 'memory_list'>>()
// With options of another library, a reference takes their input, and `create` their output.
declare const limits: TypedSchema<{ limit?: string }, { limit: number }>
const limited = defineToolFactory({
  name: 'web_search',
  options: limits,
  create: ({ limit }) => {
    expectType<Equal<typeof limit, number>>()
    return webSearch
  },
})
void (() => tool(limited, { limit: '3' }))
// @ts-expect-error The option is wrong.
void (() => tool(limited, { limit: 3 }))
// An option is optional if its type shows a default.
const defaulted = defineToolFactory({
  name: 'web_search',
  options: Type.Object({ most: Type.With(Type.Integer(), { default: 5 }) }),
  create: ({ most }) => {
    expectType<Equal<typeof most, number>>()
    return webSearch
  },
})
void (() => tool(defaulted, {}))
// @ts-expect-error A JSON Schema must be wrapped in jsonSchema().
void (() => defineToolFactory({ name: 'web_search', options: { type: 'object' }, create: () => webSearch }))
// @ts-expect-error The option is wrong.
void (() => tool(factory, { maxResults: 'three' }))
// @ts-expect-error The factory creates a tool with another name.
void (() => defineToolFactory({ name: 'other', options: Type.Object({}), create: () => webSearch }))
