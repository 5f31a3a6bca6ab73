import type { ArgsOf, NameOf, OutputOf } from '@x/tool-core'
import { type FileEntry, FileSystemToolset } from '../filesystem.ts'
import type { ToolsOf } from '../toolset/toolset.ts'
import { filtered } from '../wrappers/filtered.ts'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
function expectType<_T extends true>(): void {}

type ReadMethod = 'read' | 'list' | 'search' | 'stat'
type Method = ReadMethod | 'write' | 'move' | 'copy' | 'delete'

// Tool names are literals, even with a custom name.
const files = new FileSystemToolset({ root: '.' })
const work = new FileSystemToolset({ root: '.', name: 'work', readOnly: false })
expectType<Equal<NameOf<ReturnType<typeof files.tools>[number]>, `filesystem_${Method}`>>()
expectType<Equal<NameOf<ToolsOf<typeof work>>, `work_${Method}`>>()

// A read-only toolset has only the tools and methods that read. If `readOnly` is unknown at compile time, the other methods may be
// undefined.
const readOnly = new FileSystemToolset({ root: '.', readOnly: true })
expectType<Equal<NameOf<ReturnType<typeof readOnly.tools>[number]>, `filesystem_${ReadMethod}`>>()
filtered(readOnly, ['filesystem_read'])
// @ts-expect-error A read-only toolset doesn't have this tool.
void (() => filtered(readOnly, ['filesystem_write']))
// @ts-expect-error A read-only toolset doesn't have this method.
void (() => readOnly.write({ path: 'a', text: '' }))
declare const isReadOnly: boolean
const either = new FileSystemToolset({ root: '.', readOnly: isReadOnly })
// @ts-expect-error The method may be missing.
void (() => either.write({ path: 'a', text: '' }))
void (() => either.write?.({ path: 'a', text: '' }))

// The types of arguments and outputs are those of the methods.
type Write = Extract<ToolsOf<typeof work>, { name: 'work_write' }>
expectType<Equal<ArgsOf<Write>['mode'], 'create' | 'replace' | 'append' | undefined>>()
expectType<Equal<OutputOf<Extract<ToolsOf<typeof files>, { name: 'filesystem_list' }>>['entries'], readonly FileEntry[]>>()
void (async () => expectType<Equal<Awaited<ReturnType<typeof files.read>>['lines'], number>>())

// @ts-expect-error The root is missing.
void (() => new FileSystemToolset({}))
// @ts-expect-error A limit must be a number.
void (() => new FileSystemToolset({ root: '.', maxDepth: '3' }))
// @ts-expect-error The path is missing.
void (() => files.read({}))
// @ts-expect-error The mode is unknown.
void (() => files.write({ path: 'a', text: '', mode: 'overwrite' }))
