import { defineTool } from '@x/tool-core'
import { Type } from 'typebox'
import { MemoryToolset } from '../../toolset/src/memory.ts'
import { createRegistry, lazy, type Registry } from './index.ts'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
function expectType<_T extends true>(): void {}
const getWeather = defineTool({
  name: 'get_weather',
  description: 'w',
  args: Type.Object({ city: Type.String() }),
  execute: () => 1,
})
const webSearch = defineTool({
  name: 'web_search',
  description: 'w',
  args: Type.Object({ city: Type.String() }),
  execute: () => 1,
})
const registry = createRegistry([getWeather, new MemoryToolset(), lazy('web_search', async () => ({ default: webSearch }))])
expectType<
  Equal<
    (typeof registry)['names'][number],
    | 'get_weather'
    | 'web_search'
    | 'memory_store'
    | 'memory_retrieve'
    | 'memory_list'
    | 'memory_search'
    | 'memory_delete'
    | 'memory_clear'
  >
>()
void registry.resolve('get_weather', 'memory_*')
// @ts-expect-error typo
void registry.resolve('web_serch')
// @ts-expect-error typo
void registry.tool('web_serch')
// @ts-expect-error the module's tool has another name
lazy('websearch', async () => ({ default: webSearch }))
const plain: Registry<'a'> | undefined = undefined
void plain
