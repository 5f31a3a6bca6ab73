import type { NameOf } from '@x/tool-core'
import { MemoryToolset } from './memory.ts'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
function expectType<_T extends true>(): void {}
const m = new MemoryToolset()
const tools = m.tools()
expectType<
  Equal<
    NameOf<(typeof tools)[number]>,
    'memory_store' | 'memory_retrieve' | 'memory_list' | 'memory_search' | 'memory_delete' | 'memory_clear'
  >
>()
// @ts-expect-error value missing
void (() => m.store({ key: 'a' }))
const v = await m.retrieve({ key: 'a' })
expectType<Equal<typeof v, string | null>>()
