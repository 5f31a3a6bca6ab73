import { defineTool, type Tool, type ToolMap, type ToolResolver, type ToolSource } from '@x/tool-core'
import { Type } from 'typebox'
import { createRegistry, type EntryName, type LazyTool, lazy, type NamePattern, type Registry } from './index.ts'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
function expectType<_T extends true>(): void {}

const city = { description: 'Probe.', args: Type.Object({ city: Type.String() }), execute: () => 1 }
const getWeather = defineTool({ name: 'get_weather', ...city })
const webSearch = defineTool({ name: 'web_search', ...city })
const store = defineTool({ name: 'memory_store', ...city })
const list = defineTool({ name: 'memory_list', ...city })
const memory = { name: 'memory', tools: (): readonly (typeof store | typeof list)[] => [store, list] }

// Names: of tools, of what a source brings, of lazy tools.
const registry = createRegistry([getWeather, memory, lazy('web_search', async () => ({ default: webSearch }))])
type Names = 'get_weather' | 'web_search' | 'memory_store' | 'memory_list'
expectType<Equal<typeof registry, Registry<Names>>>()
expectType<Equal<(typeof registry)['names'], readonly Names[]>>()
expectType<Equal<EntryName<typeof getWeather | LazyTool<'a'>>, 'get_weather' | 'a'>>()

// Patterns: a name, or its first words with a star.
expectType<Equal<NamePattern<Names>, Names | 'get_*' | 'web_*' | 'memory_*'>>()
expectType<Equal<NamePattern<'plain'>, 'plain'>>()
expectType<Equal<NamePattern<'shop_cart_add'>, 'shop_cart_add' | 'shop_*' | 'shop_cart_*'>>()
const resolving = () => registry.resolve('get_weather', 'memory_*')
expectType<Equal<ReturnType<typeof resolving>, Promise<ToolMap>>>()
// @ts-expect-error a typo
void (() => registry.resolve('web_serch'))
// @ts-expect-error a typo in a pattern
void (() => registry.resolve('memoy_*'))
// @ts-expect-error a typo
void (() => registry.tools('get_weather', 'web_serch'))

// References keep their name.
const reference = registry.tool('web_search')
expectType<Equal<typeof reference, LazyTool<'web_search'>>>()
expectType<Equal<ReturnType<typeof reference.load>, Promise<Tool<'web_search'>>>>()
const references = registry.tools('memory_*')
expectType<Equal<typeof references, readonly LazyTool<Names>[]>>()
// @ts-expect-error a typo
void (() => registry.tool('web_serch'))
// @ts-expect-error a pattern is no name
void (() => registry.tool('memory_*'))

// lazy: the loaded tool has the registered name, as default export or by itself.
expectType<Equal<ReturnType<typeof lazy<'web_search'>>, LazyTool<'web_search'>>>()
void (() => lazy('web_search', async () => webSearch))
// @ts-expect-error the module's tool has another name
void (() => lazy('websearch', async () => ({ default: webSearch })))
// @ts-expect-error no tool
void (() => lazy('web_search', async () => ({ default: 1 })))

// Names that are known only at run time make a registry of any names; a registry is a resolver.
declare const plugins: readonly Tool[]
declare const source: ToolSource
const dynamic = createRegistry([...plugins, source])
expectType<Equal<typeof dynamic, Registry<string>>>()
void (() => dynamic.resolve('anything', 'any_*'))
const resolver: ToolResolver = registry
void resolver

// @ts-expect-error no entry
void (() => createRegistry([{ name: 'get_weather' }]))
