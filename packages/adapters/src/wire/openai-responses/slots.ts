/** The items of a stream, found again under whatever an event names them by: an index, an id that may change, a call's id. */
import { fieldAt, isObject, type JsonObject, numberAt, optional, stringAt } from '../read-json.ts'
import { isCall } from './items.ts'

export interface Slot {
  readonly type: string
  /** The item as far as it is known: as it was added, or as it was done. */
  item: JsonObject
  isDone: boolean
  /** How much of each kind of text has come, in UTF-16 units. */
  readonly streamed: { text: number; reasoning: number; refusal: number }
  /** The arguments of a call that came in pieces, and those that an event gave as the whole. */
  pieces: string
  whole: string | undefined
  /** A call is started once it has a name. */
  isStarted: boolean
  /** Everything that its item says has been told. */
  isTold: boolean
  readonly index: number | undefined
}

export class Slots {
  readonly #slots: Slot[] = []
  readonly #byIndex = new Map<number, Slot>()
  readonly #byId = new Map<string, Slot>()

  /** In the order of the reply. */
  all(): readonly Slot[] {
    return [...this.#slots].sort((a, b) => (a.index ?? Infinity) - (b.index ?? Infinity) || 0)
  }

  /** An index that is used again for an item of another call, or of another type, is another item. */
  open(event: unknown, item: JsonObject): Slot {
    const known = this.find(event) ?? this.#byId.get(stringAt(item, 'id') ?? '')
    if (known !== undefined && isSame(known, item)) {
      known.item = isCall(item) ? mergeItem(known.item, item) : item
      return known
    }
    return this.#add(item, numberAt(event, 'output_index'))
  }

  /** By the index, else by the id, else the last one. */
  find(event: unknown): Slot | undefined {
    const index = numberAt(event, 'output_index')
    const id = stringAt(event, 'item_id') || stringAt(fieldAt(event, 'item'), 'id') || undefined
    if (index === undefined && id === undefined) return this.#slots.at(-1)
    return (index === undefined ? undefined : this.#byIndex.get(index)) ?? this.#byId.get(id ?? '')
  }

  /** For a piece of an item whose beginning did not come. */
  findOrOpen(event: unknown, type: string): Slot {
    const slot = this.find(event)
    // A server may put text of any kind into one item; arguments are those of a call.
    if (slot !== undefined && (slot.type === 'function_call') === (type === 'function_call')) return slot
    return this.#add({ type, ...optional({ id: stringAt(event, 'item_id') }) }, numberAt(event, 'output_index'))
  }

  /** The items of the reply as its last event has them, each with its slot; those that were not streamed get one. */
  match(items: readonly unknown[]): ReadonlySet<Slot> {
    const matched = new Set<Slot>()
    const byType = new Map<string, Slot[]>()
    for (const slot of [...this.#slots].reverse()) {
      const sameType = byType.get(slot.type) ?? []
      sameType.push(slot)
      byType.set(slot.type, sameType)
    }
    items.forEach((item, position) => {
      if (!isObject(item)) return
      const slot = this.#slotFor(item, position, matched, byType) ?? this.#add(item, position)
      matched.add(slot)
      if (!slot.isDone) slot.item = isCall(item) ? mergeItem(slot.item, item) : item
    })
    return matched
  }

  /** By the id, by the place, else the next of its type. */
  #slotFor(
    item: JsonObject,
    position: number,
    matched: ReadonlySet<Slot>,
    byType: ReadonlyMap<string, Slot[]>,
  ): Slot | undefined {
    const isFree = (slot: Slot | undefined) => slot !== undefined && !matched.has(slot) && isSame(slot, item)
    const named = this.#byId.get(stringAt(item, 'id') ?? '')
    if (isFree(named)) return named
    const placed = this.#byIndex.get(position)
    if (isFree(placed)) return placed
    const waiting = byType.get(stringAt(item, 'type') ?? '') ?? []
    while (waiting.length > 0 && matched.has(waiting.at(-1) as Slot)) waiting.pop()
    return isFree(waiting.at(-1)) ? waiting.at(-1) : undefined
  }

  #add(item: JsonObject, index: number | undefined): Slot {
    const type = stringAt(item, 'type') ?? ''
    const streamed = { text: 0, reasoning: 0, refusal: 0 }
    const slot: Slot = {
      type,
      item,
      isDone: false,
      streamed,
      pieces: '',
      whole: undefined,
      isStarted: false,
      isTold: false,
      index,
    }
    this.#slots.push(slot)
    if (index !== undefined) this.#byIndex.set(index, slot)
    const id = stringAt(item, 'id')
    if (id) this.#byId.set(id, slot)
    return slot
  }
}

/** A name that came once stays, though a later event may leave it empty. */
function mergeItem(known: JsonObject, item: JsonObject): JsonObject {
  return { ...known, ...Object.fromEntries(Object.entries(item).filter(([, value]) => value !== '' && value !== null)) }
}

/** Ids of items change between events, those of calls do not. */
function isSame({ type, item }: Slot, other: JsonObject): boolean {
  const [callId, otherId] = [stringAt(item, 'call_id'), stringAt(other, 'call_id')]
  return type === stringAt(other, 'type') && (!callId || !otherId || callId === otherId)
}
