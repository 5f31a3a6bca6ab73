import type { NameOf, OutputOf } from '@x/tool-core'
import { MemoryToolset } from './memory.ts'
import type { ToolsOf } from './toolset/toolset.ts'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
function expectType<_T extends true>(): void {}

// Limits alone don't change the name.
const memory = new MemoryToolset({ maxEntries: 10 })
expectType<Equal<(typeof memory)['name'], 'memory'>>()

// A custom name becomes the prefix of the literal tool names.
const notes = new MemoryToolset({ name: 'notes' })
const tools = notes.tools()
expectType<
  Equal<
    NameOf<(typeof tools)[number]>,
    | 'notes_store'
    | 'notes_retrieve'
    | 'notes_search'
    | 'notes_list'
    | 'notes_update'
    | 'notes_delete'
    | 'notes_clear'
    | 'notes_count'
    | 'notes_get_metadata'
  >
>()

// The output type follows from the tool name.
expectType<Equal<OutputOf<Extract<ToolsOf<MemoryToolset>, { name: 'memory_retrieve' }>>, string | null>>()
expectType<Equal<OutputOf<Extract<ToolsOf<MemoryToolset>, { name: 'memory_count' }>>, { count: number }>>()

// @ts-expect-error Tags must be strings.
void (() => memory.store({ key: 'a', value: 'b', tags: [1] }))
// @ts-expect-error The scope is unknown.
void (() => memory.search({ text: 'a', scope: 'tags' }))
// @ts-expect-error A limit must be a number.
void (() => new MemoryToolset({ maxBytes: '10' }))
