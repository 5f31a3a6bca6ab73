import * as Type from 'typebox'
import { approvalRequired, combine, filtered, method, prefixed, renamed, type SourceName, Toolset, wrapped } from './index.ts'

// A hundred tools in ten toolsets, and algebra over all of them: what they cost is watched by scripts/check-type-cost.mjs.
// They share ten schemas: what TypeBox takes to resolve one, some 200 instantiations, is not ours to save.

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
function expectType<_T extends true>(): void {}

const add = Type.Object({ title: Type.String(), tags: Type.Optional(Type.Array(Type.String())) })
const find = Type.Object({ id: Type.String() })
const list = Type.Object({ page: Type.Integer({ default: 1 }) })
const search = Type.Object({ text: Type.String(), limit: Type.Optional(Type.Integer()) })
const update = Type.Object({ id: Type.String(), title: Type.Optional(Type.String()), isDone: Type.Optional(Type.Boolean()) })
const remove = Type.Object({ id: Type.String(), force: Type.Boolean({ default: false }) })
const clear = Type.Object({})
const count = Type.Object({ by: Type.Enum(['day', 'month']) })
const copyTo = Type.Object({ id: Type.String(), folder: Type.String() })
const moveTo = Type.Object({ ids: Type.Array(Type.String()), folder: Type.String() })

class Mail extends Toolset {
  readonly name = 'mail'
  readonly add = method({ description: 'X.', args: add, execute: ({ title }) => ({ mail: title }) })
  readonly find = method({ description: 'X.', args: find, execute: ({ id }) => ({ mail: id }) })
  readonly list = method({ description: 'X.', args: list, execute: ({ page }) => ({ mail: page }) })
  readonly search = method({ description: 'X.', args: search, execute: ({ text }) => ({ mail: text }) })
  readonly update = method({ description: 'X.', args: update, execute: ({ id }) => ({ mail: id }) })
  readonly remove = method({ description: 'X.', args: remove, execute: ({ force }) => ({ mail: force }) })
  readonly clear = method({ description: 'X.', args: clear, execute: () => ({ mail: 0 }) })
  readonly count = method({ description: 'X.', args: count, execute: ({ by }) => ({ mail: by }) })
  readonly copyTo = method({ description: 'X.', args: copyTo, execute: ({ folder }) => ({ mail: folder }) })
  readonly moveTo = method({ description: 'X.', args: moveTo, execute: ({ ids }) => ({ mail: ids }) })
}

class Files extends Toolset {
  readonly name = 'files'
  readonly add = method({ description: 'X.', args: add, execute: ({ title }) => ({ files: title }) })
  readonly find = method({ description: 'X.', args: find, execute: ({ id }) => ({ files: id }) })
  readonly list = method({ description: 'X.', args: list, execute: ({ page }) => ({ files: page }) })
  readonly search = method({ description: 'X.', args: search, execute: ({ text }) => ({ files: text }) })
  readonly update = method({ description: 'X.', args: update, execute: ({ id }) => ({ files: id }) })
  readonly remove = method({ description: 'X.', args: remove, execute: ({ force }) => ({ files: force }) })
  readonly clear = method({ description: 'X.', args: clear, execute: () => ({ files: 0 }) })
  readonly count = method({ description: 'X.', args: count, execute: ({ by }) => ({ files: by }) })
  readonly copyTo = method({ description: 'X.', args: copyTo, execute: ({ folder }) => ({ files: folder }) })
  readonly moveTo = method({ description: 'X.', args: moveTo, execute: ({ ids }) => ({ files: ids }) })
}

class Calendar extends Toolset {
  readonly name = 'calendar'
  readonly add = method({ description: 'X.', args: add, execute: ({ title }) => ({ calendar: title }) })
  readonly find = method({ description: 'X.', args: find, execute: ({ id }) => ({ calendar: id }) })
  readonly list = method({ description: 'X.', args: list, execute: ({ page }) => ({ calendar: page }) })
  readonly search = method({ description: 'X.', args: search, execute: ({ text }) => ({ calendar: text }) })
  readonly update = method({ description: 'X.', args: update, execute: ({ id }) => ({ calendar: id }) })
  readonly remove = method({ description: 'X.', args: remove, execute: ({ force }) => ({ calendar: force }) })
  readonly clear = method({ description: 'X.', args: clear, execute: () => ({ calendar: 0 }) })
  readonly count = method({ description: 'X.', args: count, execute: ({ by }) => ({ calendar: by }) })
  readonly copyTo = method({ description: 'X.', args: copyTo, execute: ({ folder }) => ({ calendar: folder }) })
  readonly moveTo = method({ description: 'X.', args: moveTo, execute: ({ ids }) => ({ calendar: ids }) })
}

class Contacts extends Toolset {
  readonly name = 'contacts'
  readonly add = method({ description: 'X.', args: add, execute: ({ title }) => ({ contacts: title }) })
  readonly find = method({ description: 'X.', args: find, execute: ({ id }) => ({ contacts: id }) })
  readonly list = method({ description: 'X.', args: list, execute: ({ page }) => ({ contacts: page }) })
  readonly search = method({ description: 'X.', args: search, execute: ({ text }) => ({ contacts: text }) })
  readonly update = method({ description: 'X.', args: update, execute: ({ id }) => ({ contacts: id }) })
  readonly remove = method({ description: 'X.', args: remove, execute: ({ force }) => ({ contacts: force }) })
  readonly clear = method({ description: 'X.', args: clear, execute: () => ({ contacts: 0 }) })
  readonly count = method({ description: 'X.', args: count, execute: ({ by }) => ({ contacts: by }) })
  readonly copyTo = method({ description: 'X.', args: copyTo, execute: ({ folder }) => ({ contacts: folder }) })
  readonly moveTo = method({ description: 'X.', args: moveTo, execute: ({ ids }) => ({ contacts: ids }) })
}

class Orders extends Toolset {
  readonly name = 'orders'
  readonly add = method({ description: 'X.', args: add, execute: ({ title }) => ({ orders: title }) })
  readonly find = method({ description: 'X.', args: find, execute: ({ id }) => ({ orders: id }) })
  readonly list = method({ description: 'X.', args: list, execute: ({ page }) => ({ orders: page }) })
  readonly search = method({ description: 'X.', args: search, execute: ({ text }) => ({ orders: text }) })
  readonly update = method({ description: 'X.', args: update, execute: ({ id }) => ({ orders: id }) })
  readonly remove = method({ description: 'X.', args: remove, execute: ({ force }) => ({ orders: force }) })
  readonly clear = method({ description: 'X.', args: clear, execute: () => ({ orders: 0 }) })
  readonly count = method({ description: 'X.', args: count, execute: ({ by }) => ({ orders: by }) })
  readonly copyTo = method({ description: 'X.', args: copyTo, execute: ({ folder }) => ({ orders: folder }) })
  readonly moveTo = method({ description: 'X.', args: moveTo, execute: ({ ids }) => ({ orders: ids }) })
}

class Stock extends Toolset {
  readonly name = 'stock'
  readonly add = method({ description: 'X.', args: add, execute: ({ title }) => ({ stock: title }) })
  readonly find = method({ description: 'X.', args: find, execute: ({ id }) => ({ stock: id }) })
  readonly list = method({ description: 'X.', args: list, execute: ({ page }) => ({ stock: page }) })
  readonly search = method({ description: 'X.', args: search, execute: ({ text }) => ({ stock: text }) })
  readonly update = method({ description: 'X.', args: update, execute: ({ id }) => ({ stock: id }) })
  readonly remove = method({ description: 'X.', args: remove, execute: ({ force }) => ({ stock: force }) })
  readonly clear = method({ description: 'X.', args: clear, execute: () => ({ stock: 0 }) })
  readonly count = method({ description: 'X.', args: count, execute: ({ by }) => ({ stock: by }) })
  readonly copyTo = method({ description: 'X.', args: copyTo, execute: ({ folder }) => ({ stock: folder }) })
  readonly moveTo = method({ description: 'X.', args: moveTo, execute: ({ ids }) => ({ stock: ids }) })
}

class Payments extends Toolset {
  readonly name = 'payments'
  readonly add = method({ description: 'X.', args: add, execute: ({ title }) => ({ payments: title }) })
  readonly find = method({ description: 'X.', args: find, execute: ({ id }) => ({ payments: id }) })
  readonly list = method({ description: 'X.', args: list, execute: ({ page }) => ({ payments: page }) })
  readonly search = method({ description: 'X.', args: search, execute: ({ text }) => ({ payments: text }) })
  readonly update = method({ description: 'X.', args: update, execute: ({ id }) => ({ payments: id }) })
  readonly remove = method({ description: 'X.', args: remove, execute: ({ force }) => ({ payments: force }) })
  readonly clear = method({ description: 'X.', args: clear, execute: () => ({ payments: 0 }) })
  readonly count = method({ description: 'X.', args: count, execute: ({ by }) => ({ payments: by }) })
  readonly copyTo = method({ description: 'X.', args: copyTo, execute: ({ folder }) => ({ payments: folder }) })
  readonly moveTo = method({ description: 'X.', args: moveTo, execute: ({ ids }) => ({ payments: ids }) })
}

class Tickets extends Toolset {
  readonly name = 'tickets'
  readonly add = method({ description: 'X.', args: add, execute: ({ title }) => ({ tickets: title }) })
  readonly find = method({ description: 'X.', args: find, execute: ({ id }) => ({ tickets: id }) })
  readonly list = method({ description: 'X.', args: list, execute: ({ page }) => ({ tickets: page }) })
  readonly search = method({ description: 'X.', args: search, execute: ({ text }) => ({ tickets: text }) })
  readonly update = method({ description: 'X.', args: update, execute: ({ id }) => ({ tickets: id }) })
  readonly remove = method({ description: 'X.', args: remove, execute: ({ force }) => ({ tickets: force }) })
  readonly clear = method({ description: 'X.', args: clear, execute: () => ({ tickets: 0 }) })
  readonly count = method({ description: 'X.', args: count, execute: ({ by }) => ({ tickets: by }) })
  readonly copyTo = method({ description: 'X.', args: copyTo, execute: ({ folder }) => ({ tickets: folder }) })
  readonly moveTo = method({ description: 'X.', args: moveTo, execute: ({ ids }) => ({ tickets: ids }) })
}

class Notes extends Toolset {
  readonly name = 'notes'
  readonly add = method({ description: 'X.', args: add, execute: ({ title }) => ({ notes: title }) })
  readonly find = method({ description: 'X.', args: find, execute: ({ id }) => ({ notes: id }) })
  readonly list = method({ description: 'X.', args: list, execute: ({ page }) => ({ notes: page }) })
  readonly search = method({ description: 'X.', args: search, execute: ({ text }) => ({ notes: text }) })
  readonly update = method({ description: 'X.', args: update, execute: ({ id }) => ({ notes: id }) })
  readonly remove = method({ description: 'X.', args: remove, execute: ({ force }) => ({ notes: force }) })
  readonly clear = method({ description: 'X.', args: clear, execute: () => ({ notes: 0 }) })
  readonly count = method({ description: 'X.', args: count, execute: ({ by }) => ({ notes: by }) })
  readonly copyTo = method({ description: 'X.', args: copyTo, execute: ({ folder }) => ({ notes: folder }) })
  readonly moveTo = method({ description: 'X.', args: moveTo, execute: ({ ids }) => ({ notes: ids }) })
}

class Reports extends Toolset {
  readonly name = 'reports'
  readonly add = method({ description: 'X.', args: add, execute: ({ title }) => ({ reports: title }) })
  readonly find = method({ description: 'X.', args: find, execute: ({ id }) => ({ reports: id }) })
  readonly list = method({ description: 'X.', args: list, execute: ({ page }) => ({ reports: page }) })
  readonly search = method({ description: 'X.', args: search, execute: ({ text }) => ({ reports: text }) })
  readonly update = method({ description: 'X.', args: update, execute: ({ id }) => ({ reports: id }) })
  readonly remove = method({ description: 'X.', args: remove, execute: ({ force }) => ({ reports: force }) })
  readonly clear = method({ description: 'X.', args: clear, execute: () => ({ reports: 0 }) })
  readonly count = method({ description: 'X.', args: count, execute: ({ by }) => ({ reports: by }) })
  readonly copyTo = method({ description: 'X.', args: copyTo, execute: ({ folder }) => ({ reports: folder }) })
  readonly moveTo = method({ description: 'X.', args: moveTo, execute: ({ ids }) => ({ reports: ids }) })
}

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
)
type Name = SourceName<typeof all>
expectType<Equal<Extract<Name, 'mail_add' | 'reports_move_to' | 'reports_move'>, 'mail_add' | 'reports_move_to'>>()

const work = prefixed(all, 'work')
const some = filtered(work, ['work_mail_add', 'work_stock_count'])
const guarded = approvalRequired(
  wrapped(combine(all, renamed(some, { work_mail_add: 'send_mail' })), ({ tool }, next) =>
    tool.name === 'send_mail' ? next() : null,
  ),
  ['mail_clear'],
)
type Guarded = SourceName<typeof guarded>
expectType<Equal<Exclude<Guarded, Name>, 'send_mail' | 'work_stock_count'>>()
// @ts-expect-error Two tools are named "mail_add", and nine more
void (() => combine(all, new Mail()))
