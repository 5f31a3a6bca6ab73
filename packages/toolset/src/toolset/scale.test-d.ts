import * as Type from 'typebox'
import { approvalRequired } from '../wrappers/approval-required.ts'
import { combine } from '../wrappers/combine.ts'
import { filtered } from '../wrappers/filtered.ts'
import { prefixed } from '../wrappers/prefixed.ts'
import { renamed } from '../wrappers/renamed.ts'
import type { SourceName } from '../wrappers/source.ts'
import { wrapped } from '../wrappers/wrapped.ts'
import { method } from './method.ts'
import { Toolset } from './toolset.ts'

// A hundred tools in ten toolsets, all of them wrapped. scripts/check-type-cost.mjs limits the cost of type-checking them. They share five
// schemas, because each schema costs about 200 instantiations in TypeBox, which can't be avoided.

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
function expectType<_T extends true>(): void {}

const add = Type.Object({ title: Type.String(), tags: Type.Optional(Type.Array(Type.String())) })
const find = Type.Object({ id: Type.String() })
const list = Type.Object({ page: Type.Integer({ default: 1 }) })
const remove = Type.Object({ id: Type.String(), force: Type.Boolean({ default: false }) })
const clear = Type.Object({})
type Method = 'add' | 'find' | 'list' | 'search' | 'update' | 'remove' | 'clear' | 'count' | 'copy_to' | 'move_to'
type Group = 'mail' | 'files' | 'calendar' | 'contacts' | 'orders' | 'stock' | 'payments' | 'tickets' | 'notes' | 'reports'

class Mail extends Toolset {
  readonly name = 'mail'
  readonly add = method({ description: 'X.', args: add, execute: ({ title }) => ({ mail: title }) })
  readonly find = method({ description: 'X.', args: find, execute: ({ id }) => ({ mail: id }) })
  readonly list = method({ description: 'X.', args: list, execute: ({ page }) => ({ mail: page }) })
  readonly search = method({ description: 'X.', args: find, execute: ({ id }) => ({ mail: id }) })
  readonly update = method({ description: 'X.', args: add, execute: ({ title }) => ({ mail: title }) })
  readonly remove = method({ description: 'X.', args: remove, execute: ({ force }) => ({ mail: force }) })
  readonly clear = method({ description: 'X.', args: clear, execute: () => ({ mail: 0 }) })
  readonly count = method({ description: 'X.', args: list, execute: ({ page }) => ({ mail: page }) })
  readonly copyTo = method({ description: 'X.', args: remove, execute: ({ id }) => ({ mail: id }) })
  readonly moveTo = method({ description: 'X.', args: remove, execute: ({ force }) => ({ mail: force }) })
}

class Files extends Toolset {
  readonly name = 'files'
  readonly add = method({ description: 'X.', args: add, execute: ({ title }) => ({ files: title }) })
  readonly find = method({ description: 'X.', args: find, execute: ({ id }) => ({ files: id }) })
  readonly list = method({ description: 'X.', args: list, execute: ({ page }) => ({ files: page }) })
  readonly search = method({ description: 'X.', args: find, execute: ({ id }) => ({ files: id }) })
  readonly update = method({ description: 'X.', args: add, execute: ({ title }) => ({ files: title }) })
  readonly remove = method({ description: 'X.', args: remove, execute: ({ force }) => ({ files: force }) })
  readonly clear = method({ description: 'X.', args: clear, execute: () => ({ files: 0 }) })
  readonly count = method({ description: 'X.', args: list, execute: ({ page }) => ({ files: page }) })
  readonly copyTo = method({ description: 'X.', args: remove, execute: ({ id }) => ({ files: id }) })
  readonly moveTo = method({ description: 'X.', args: remove, execute: ({ force }) => ({ files: force }) })
}

class Calendar extends Toolset {
  readonly name = 'calendar'
  readonly add = method({ description: 'X.', args: add, execute: ({ title }) => ({ calendar: title }) })
  readonly find = method({ description: 'X.', args: find, execute: ({ id }) => ({ calendar: id }) })
  readonly list = method({ description: 'X.', args: list, execute: ({ page }) => ({ calendar: page }) })
  readonly search = method({ description: 'X.', args: find, execute: ({ id }) => ({ calendar: id }) })
  readonly update = method({ description: 'X.', args: add, execute: ({ title }) => ({ calendar: title }) })
  readonly remove = method({ description: 'X.', args: remove, execute: ({ force }) => ({ calendar: force }) })
  readonly clear = method({ description: 'X.', args: clear, execute: () => ({ calendar: 0 }) })
  readonly count = method({ description: 'X.', args: list, execute: ({ page }) => ({ calendar: page }) })
  readonly copyTo = method({ description: 'X.', args: remove, execute: ({ id }) => ({ calendar: id }) })
  readonly moveTo = method({ description: 'X.', args: remove, execute: ({ force }) => ({ calendar: force }) })
}

class Contacts extends Toolset {
  readonly name = 'contacts'
  readonly add = method({ description: 'X.', args: add, execute: ({ title }) => ({ contacts: title }) })
  readonly find = method({ description: 'X.', args: find, execute: ({ id }) => ({ contacts: id }) })
  readonly list = method({ description: 'X.', args: list, execute: ({ page }) => ({ contacts: page }) })
  readonly search = method({ description: 'X.', args: find, execute: ({ id }) => ({ contacts: id }) })
  readonly update = method({ description: 'X.', args: add, execute: ({ title }) => ({ contacts: title }) })
  readonly remove = method({ description: 'X.', args: remove, execute: ({ force }) => ({ contacts: force }) })
  readonly clear = method({ description: 'X.', args: clear, execute: () => ({ contacts: 0 }) })
  readonly count = method({ description: 'X.', args: list, execute: ({ page }) => ({ contacts: page }) })
  readonly copyTo = method({ description: 'X.', args: remove, execute: ({ id }) => ({ contacts: id }) })
  readonly moveTo = method({ description: 'X.', args: remove, execute: ({ force }) => ({ contacts: force }) })
}

class Orders extends Toolset {
  readonly name = 'orders'
  readonly add = method({ description: 'X.', args: add, execute: ({ title }) => ({ orders: title }) })
  readonly find = method({ description: 'X.', args: find, execute: ({ id }) => ({ orders: id }) })
  readonly list = method({ description: 'X.', args: list, execute: ({ page }) => ({ orders: page }) })
  readonly search = method({ description: 'X.', args: find, execute: ({ id }) => ({ orders: id }) })
  readonly update = method({ description: 'X.', args: add, execute: ({ title }) => ({ orders: title }) })
  readonly remove = method({ description: 'X.', args: remove, execute: ({ force }) => ({ orders: force }) })
  readonly clear = method({ description: 'X.', args: clear, execute: () => ({ orders: 0 }) })
  readonly count = method({ description: 'X.', args: list, execute: ({ page }) => ({ orders: page }) })
  readonly copyTo = method({ description: 'X.', args: remove, execute: ({ id }) => ({ orders: id }) })
  readonly moveTo = method({ description: 'X.', args: remove, execute: ({ force }) => ({ orders: force }) })
}

class Stock extends Toolset {
  readonly name = 'stock'
  readonly add = method({ description: 'X.', args: add, execute: ({ title }) => ({ stock: title }) })
  readonly find = method({ description: 'X.', args: find, execute: ({ id }) => ({ stock: id }) })
  readonly list = method({ description: 'X.', args: list, execute: ({ page }) => ({ stock: page }) })
  readonly search = method({ description: 'X.', args: find, execute: ({ id }) => ({ stock: id }) })
  readonly update = method({ description: 'X.', args: add, execute: ({ title }) => ({ stock: title }) })
  readonly remove = method({ description: 'X.', args: remove, execute: ({ force }) => ({ stock: force }) })
  readonly clear = method({ description: 'X.', args: clear, execute: () => ({ stock: 0 }) })
  readonly count = method({ description: 'X.', args: list, execute: ({ page }) => ({ stock: page }) })
  readonly copyTo = method({ description: 'X.', args: remove, execute: ({ id }) => ({ stock: id }) })
  readonly moveTo = method({ description: 'X.', args: remove, execute: ({ force }) => ({ stock: force }) })
}

class Payments extends Toolset {
  readonly name = 'payments'
  readonly add = method({ description: 'X.', args: add, execute: ({ title }) => ({ payments: title }) })
  readonly find = method({ description: 'X.', args: find, execute: ({ id }) => ({ payments: id }) })
  readonly list = method({ description: 'X.', args: list, execute: ({ page }) => ({ payments: page }) })
  readonly search = method({ description: 'X.', args: find, execute: ({ id }) => ({ payments: id }) })
  readonly update = method({ description: 'X.', args: add, execute: ({ title }) => ({ payments: title }) })
  readonly remove = method({ description: 'X.', args: remove, execute: ({ force }) => ({ payments: force }) })
  readonly clear = method({ description: 'X.', args: clear, execute: () => ({ payments: 0 }) })
  readonly count = method({ description: 'X.', args: list, execute: ({ page }) => ({ payments: page }) })
  readonly copyTo = method({ description: 'X.', args: remove, execute: ({ id }) => ({ payments: id }) })
  readonly moveTo = method({ description: 'X.', args: remove, execute: ({ force }) => ({ payments: force }) })
}

class Tickets extends Toolset {
  readonly name = 'tickets'
  readonly add = method({ description: 'X.', args: add, execute: ({ title }) => ({ tickets: title }) })
  readonly find = method({ description: 'X.', args: find, execute: ({ id }) => ({ tickets: id }) })
  readonly list = method({ description: 'X.', args: list, execute: ({ page }) => ({ tickets: page }) })
  readonly search = method({ description: 'X.', args: find, execute: ({ id }) => ({ tickets: id }) })
  readonly update = method({ description: 'X.', args: add, execute: ({ title }) => ({ tickets: title }) })
  readonly remove = method({ description: 'X.', args: remove, execute: ({ force }) => ({ tickets: force }) })
  readonly clear = method({ description: 'X.', args: clear, execute: () => ({ tickets: 0 }) })
  readonly count = method({ description: 'X.', args: list, execute: ({ page }) => ({ tickets: page }) })
  readonly copyTo = method({ description: 'X.', args: remove, execute: ({ id }) => ({ tickets: id }) })
  readonly moveTo = method({ description: 'X.', args: remove, execute: ({ force }) => ({ tickets: force }) })
}

class Notes extends Toolset {
  readonly name = 'notes'
  readonly add = method({ description: 'X.', args: add, execute: ({ title }) => ({ notes: title }) })
  readonly find = method({ description: 'X.', args: find, execute: ({ id }) => ({ notes: id }) })
  readonly list = method({ description: 'X.', args: list, execute: ({ page }) => ({ notes: page }) })
  readonly search = method({ description: 'X.', args: find, execute: ({ id }) => ({ notes: id }) })
  readonly update = method({ description: 'X.', args: add, execute: ({ title }) => ({ notes: title }) })
  readonly remove = method({ description: 'X.', args: remove, execute: ({ force }) => ({ notes: force }) })
  readonly clear = method({ description: 'X.', args: clear, execute: () => ({ notes: 0 }) })
  readonly count = method({ description: 'X.', args: list, execute: ({ page }) => ({ notes: page }) })
  readonly copyTo = method({ description: 'X.', args: remove, execute: ({ id }) => ({ notes: id }) })
  readonly moveTo = method({ description: 'X.', args: remove, execute: ({ force }) => ({ notes: force }) })
}

class Reports extends Toolset {
  readonly name = 'reports'
  readonly add = method({ description: 'X.', args: add, execute: ({ title }) => ({ reports: title }) })
  readonly find = method({ description: 'X.', args: find, execute: ({ id }) => ({ reports: id }) })
  readonly list = method({ description: 'X.', args: list, execute: ({ page }) => ({ reports: page }) })
  readonly search = method({ description: 'X.', args: find, execute: ({ id }) => ({ reports: id }) })
  readonly update = method({ description: 'X.', args: add, execute: ({ title }) => ({ reports: title }) })
  readonly remove = method({ description: 'X.', args: remove, execute: ({ force }) => ({ reports: force }) })
  readonly clear = method({ description: 'X.', args: clear, execute: () => ({ reports: 0 }) })
  readonly count = method({ description: 'X.', args: list, execute: ({ page }) => ({ reports: page }) })
  readonly copyTo = method({ description: 'X.', args: remove, execute: ({ id }) => ({ reports: id }) })
  readonly moveTo = method({ description: 'X.', args: remove, execute: ({ force }) => ({ reports: force }) })
}

const send = renamed(filtered(new Mail(), ['mail_add']), { mail_add: 'send_mail' })
const all = combine(
  new Mail(),
  new Files(),
  new Calendar(),
  new Contacts(),
  new Orders(),
  new Stock(),
  new Payments(),
  new Tickets(),
  new Notes(),
  new Reports(),
  send,
)

const work = prefixed(all, 'work')
const guarded = approvalRequired(
  wrapped(work, ({ tool }, next) => (tool.name === 'work_send_mail' ? next() : null)),
  ['work_mail_clear'],
)
expectType<Equal<SourceName<typeof guarded>, `work_${Group}_${Method}` | 'work_send_mail'>>()
// @ts-expect-error Two tools are named "mail_add", and nine more
void (() => combine(all, new Mail()))
