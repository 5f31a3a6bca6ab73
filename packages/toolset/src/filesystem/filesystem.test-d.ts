import type { ArgsOf, NameOf, OutputOf } from '@x/tool-core'
import { type FileEntry, FileSystemToolset } from '../filesystem.ts'
import type { ToolsOf } from '../toolset.ts'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
function expectType<_T extends true>(): void {}

type Method = 'read' | 'list' | 'search' | 'stat' | 'write' | 'move' | 'copy' | 'delete'

// The names of the tools are literals, also under a name that is given.
const files = new FileSystemToolset({ root: '.' })
const work = new FileSystemToolset({ root: '.', name: 'work', readOnly: true })
expectType<Equal<NameOf<ReturnType<typeof files.tools>[number]>, `filesystem_${Method}`>>()
expectType<Equal<NameOf<ToolsOf<typeof work>>, `work_${Method}`>>()

// Arguments and outputs are those of each method.
type Write = Extract<ToolsOf<typeof work>, { name: 'work_write' }>
expectType<Equal<ArgsOf<Write>['mode'], 'create' | 'replace' | 'append' | undefined>>()
expectType<Equal<OutputOf<Extract<ToolsOf<typeof files>, { name: 'filesystem_list' }>>['entries'], readonly FileEntry[]>>()
void (async () => expectType<Equal<Awaited<ReturnType<typeof files.read>>['lines'], number>>())

// @ts-expect-error root is missing
void (() => new FileSystemToolset({}))
// @ts-expect-error a limit is a number
void (() => new FileSystemToolset({ root: '.', maxDepth: '3' }))
// @ts-expect-error path is missing
void (() => files.read({}))
// @ts-expect-error no such mode
void (() => files.write({ path: 'a', text: '', mode: 'overwrite' }))
