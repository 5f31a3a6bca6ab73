import { type Action, type ArgsOf, defineTool, type NameOf, type OutputOf, type Tool, type ToolSource } from '@x/tool-core'
import * as Type from 'typebox'
import { approvalRequired, combine, defineToolset, filtered, prefixed, renamed, withContext, wrapped } from '../index.ts'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
function expectType<_T extends true>(): void {}
type Names<Source extends ToolSource> = NameOf<Awaited<ReturnType<Source['tools']>>[number]>

const args = Type.Object({ to: Type.String() })
const send = defineTool({ name: 'send', description: 'Sends.', args, execute: () => 1 })
const list = defineTool({ name: 'list', description: 'Lists.', args: Type.Object({}), execute: () => ['a'] })
const now = defineTool({ name: 'now', description: 'Now.', args: Type.Object({}), execute: () => 'now' })
const mail = defineToolset({ name: 'mail', description: 'Mail.', tools: [send, list] })
declare const server: { tools(): Promise<readonly (typeof now)[]> }
declare const dynamic: ToolSource

// prefixed: the types of names, args and outputs are kept. The list is synchronous if the source's is.
const work = prefixed(mail, 'work')
expectType<Equal<Names<typeof work>, 'work_send' | 'work_list'>>()
type WorkSend = Extract<ReturnType<typeof work.tools>[number], { name: 'work_send' }>
expectType<Equal<ArgsOf<WorkSend>, { to: string }>>()
expectType<Equal<OutputOf<WorkSend>, number>>()
const remote = prefixed(server, 'remote')
expectType<Equal<ReturnType<typeof remote.tools>, Promise<readonly Tool<'remote_now', object, string>[]>>>()
const some = prefixed(dynamic, 'some')
expectType<Equal<Names<typeof some>, `some_${string}`>>()

// renamed
const other = renamed(mail, { send: 'send_mail' })
expectType<Equal<Names<typeof other>, 'send_mail' | 'list'>>()
const swapped = renamed(mail, { send: 'list', list: 'send' })
expectType<Equal<OutputOf<Extract<ReturnType<typeof swapped.tools>[number], { name: 'send' }>>, string[]>>()
// @ts-expect-error There is no tool "sned"
void (() => renamed(mail, { sned: 'x' }))
// @ts-expect-error There is no tool "sned", although the other key is right
void (() => renamed(mail, { send: 'x', sned: 'y' }))
// @ts-expect-error Two tools would be named "list"
void (() => renamed(mail, { send: 'list' }))
// @ts-expect-error Two tools would be named "List"
void (() => renamed(mail, { send: 'List' }))
// @ts-expect-error Two tools would be named "x"
void (() => renamed(mail, { send: 'x', list: 'x' }))
void (() => renamed(dynamic, { a: 'x', b: 'y' }))

// filtered
const sending = filtered(mail, ['send'])
expectType<Equal<Names<typeof sending>, 'send'>>()
const chosen = filtered(mail, ({ name, effect }) => name === 'send' || effect === 'read')
expectType<Equal<Names<typeof chosen>, 'send' | 'list'>>()
// @ts-expect-error There is no such name.
void (() => filtered(mail, ['sned']))
// @ts-expect-error The source has no tool with this name.
void (() => filtered(mail, ({ name }) => name === 'sned'))
// @ts-expect-error A predicate must be synchronous.
void (() => filtered(mail, async () => true))
const unknowable = filtered(dynamic, ['a'])
expectType<Equal<Awaited<ReturnType<typeof unknowable.tools>>, readonly Tool[]>>()

// wrapped, approvalRequired and withContext keep the types of the tools.
const logged = wrapped(mail, ({ tool, args: given, context }, next) => {
  expectType<Equal<typeof tool.name, 'send' | 'list'>>()
  expectType<Equal<typeof given, Readonly<Record<string, unknown>>>>()
  return context.signal.aborted ? undefined : next(given)
})
const guarded = approvalRequired(withContext(logged, { user: 'ann' }), ['send'])
expectType<Equal<ReturnType<typeof guarded.tools>, readonly (typeof send | typeof list)[]>>()
// @ts-expect-error There is no such name.
void (() => approvalRequired(mail, ['sned']))
// @ts-expect-error The values are missing.
void (() => withContext(mail))

// combine
const all = combine(mail, prefixed(mail, 'work'), now)
expectType<Equal<Names<typeof all>, 'send' | 'list' | 'work_send' | 'work_list' | 'now'>>()
expectType<
  Equal<
    ReturnType<ReturnType<typeof combine<[typeof mail, typeof now]>>['tools']>,
    readonly (typeof send | typeof list | typeof now)[]
  >
>()
const mixed = combine(mail, server)
expectType<Equal<NameOf<Awaited<ReturnType<typeof mixed.tools>>[number]>, 'send' | 'list' | 'now'>>()
// @ts-expect-error Two tools are named "list" | Two tools are named "send"
void (() => combine(mail, now, mail))
// @ts-expect-error Two tools are named "now"
void (() => combine(server, now))
// @ts-expect-error Two tools are named "now". Case is ignored.
void (() => combine(now, renamed(combine(now), { now: 'NOW' })))
void (() => combine(dynamic, mail, some, prefixed(dynamic, 'some')))
void ((sources: readonly ToolSource[]) => combine(...sources))

// defineToolset
expectType<Equal<ReturnType<typeof mail.tools>, readonly (typeof send | typeof list)[]>>()
expectType<Equal<typeof mail.name, 'mail'>>()
void (() =>
  defineToolset({
    name: 'x',
    description: 'X.',
    tools: [send, now],
    testCases: [{ request: 'Mail Ann', expectedTools: ['send', 'now'], expectedArguments: { send: { to: 'Ann' } } }],
  }))
const misspelt = [{ request: 'Hi', expectedTools: ['sned'] as const }]
// @ts-expect-error The toolset doesn't contain the expected tool.
void (() => defineToolset({ name: 'x', description: 'X.', tools: [send], testCases: misspelt }))
// @ts-expect-error Two tools are named "send"
void (() => defineToolset({ name: 'x', description: 'X.', tools: [send, now, send] }))
// @ts-expect-error The description is missing.
void (() => defineToolset({ name: 'x', tools: [send] }))

// An action is a tool.
void ((action: Action<'act', { a: string }, { b: string }>) => {
  const source = prefixed(combine(action), 'x')
  expectType<Equal<ReturnType<typeof source.tools>, readonly Tool<'x_act', { a: string }, { b: string }>[]>>()
})
