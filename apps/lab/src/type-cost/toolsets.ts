/** Toolsets with shared state, and wrappers around them. */
import { combine, filtered, method, prefixed, Toolset } from '@x/toolset'
import { Type } from 'typebox'

class Notes extends Toolset {
  readonly name = 'notes'
  readonly #notes = new Map<string, string>()
  readonly add = method({
    description: 'Adds a note.',
    effect: 'write',
    args: Type.Object({ title: Type.String(), text: Type.String() }),
    execute: ({ title, text }) => this.#notes.set(title, text).size,
  })
  readonly find = method({
    description: 'Finds a note.',
    effect: 'read',
    args: Type.Object({ title: Type.String() }),
    execute: ({ title }) => this.#notes.get(title) ?? null,
  })
  readonly listAll = method({
    description: 'Lists notes.',
    effect: 'read',
    args: Type.Object({}),
    execute: () => [...this.#notes.keys()],
  })
}
class Orders extends Toolset {
  readonly name = 'orders'
  readonly place = method({
    description: 'Places an order.',
    effect: 'write',
    args: Type.Object({ sku: Type.String(), count: Type.Integer({ default: 1 }) }),
    execute: ({ sku, count }) => ({ sku, count }),
  })
  readonly cancel = method({
    description: 'Cancels an order.',
    effect: 'destructive',
    args: Type.Object({ id: Type.String(), reason: Type.Optional(Type.String()) }),
    execute: ({ id, reason }) => `${id}: ${reason}`,
  })
}

const notes = new Notes()
export const tools = combine(
  prefixed(notes, 'my'),
  filtered(new Orders(), (tool) => tool.effect === 'write'),
).tools()
export const count: number = await notes.add({ title: 'a', text: 'b' })
