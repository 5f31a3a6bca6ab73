/** Finds the item of a stream event by index, by item id, which may change, or by call id. */
import { fieldAt, isObject, type JsonObject, numberAt, optional, stringAt } from '../read-json.ts'
import { isCall } from './items.ts'

export interface Slot {
  readonly type: string
  /** The latest version of the item, from its start or its end. */
  item: JsonObject
  isDone: boolean
  /** Received length of each kind of text, in UTF-16 units. */
  readonly streamed: { text: number; reasoning: number; refusal: number }
  /** Argument text of a call that arrived in pieces. `whole` is the complete text, if an event contained it. */
  pieces: string
  whole: string | undefined
  /** True once the start of the call has been emitted, which waits for the name and the id. */
  isStarted: boolean
  /** True once the content of the item has been emitted. */
  isEmitted: boolean
  readonly index: number | undefined
}

/**
 * Stores the items of a stream. Events of the same item have the same index or the same item id. Relays may change all other ids between
 * events, even the call id.
 */
export class Slots {
  readonly #slots: Slot[] = []
  readonly #byIndex = new Map<number, Slot>()
  readonly #byId = new Map<string, Slot>()
  readonly #byCallId = new Map<string, Slot>()
  /** Incomplete items, by type. */
  readonly #open = new Map<string, Set<Slot>>()

  /** Returns the items in the order of the reply. */
  all(): readonly Slot[] {
    return [...this.#slots].sort((a, b) => (a.index ?? Infinity) - (b.index ?? Infinity) || 0)
  }

  /** Adds an item, or updates a known one. If the index is reused for another call or another type, the item is new. */
  add(event: unknown, item: JsonObject): Slot {
    const known = this.#find(event)
    if (known !== undefined && isSame(known, item)) return this.#update(known, item)
    return this.#add(item, numberAt(event, 'output_index'))
  }

  /**
   * Completes an item. Finds it by index, item id or call id, or else by type and name among the incomplete items. Adds the item if it is
   * unknown.
   */
  finish(event: unknown, item: JsonObject): Slot {
    const known = this.#find(event)
    const candidates = [known, this.#byCallId.get(stringAt(item, 'call_id') ?? '')]
    const slot =
      candidates.find((one) => one !== undefined && isSame(one, item)) ??
      [known ?? this.#onlyOpen(event, stringAt(item, 'type') ?? '')].find((one) => one?.isDone === false && isAlike(one, item))
    const finished = slot === undefined ? this.#add(item, numberAt(event, 'output_index')) : this.#update(slot, item)
    finished.isDone = true
    this.#open.get(finished.type)?.delete(finished)
    return finished
  }

  /** Finds the item to which a piece belongs. Adds the item if its start never arrived. */
  findOrOpen(event: unknown, type: string): Slot {
    const slot = this.#find(event) ?? this.#onlyOpen(event, type)
    // A server may send text of any kind for any item, but arguments always belong to a call.
    if (slot !== undefined && (slot.type === 'function_call') === (type === 'function_call')) return slot
    return this.#add({ type, ...optional({ id: stringAt(event, 'item_id') }) }, numberAt(event, 'output_index'))
  }

  /** Matches the items of the last event to their slots. Items that weren't streamed get a new slot. */
  match(items: readonly unknown[]): ReadonlySet<Slot> {
    const matched = new Set<Slot>()
    const found = items.map((item, position) => {
      const slot = isObject(item) ? this.#named(item, position).find((one) => !matched.has(one)) : undefined
      if (slot !== undefined) matched.add(slot)
      return slot
    })
    const waiting = byType(this.#slots.filter((slot) => !matched.has(slot)))
    for (const [position, item] of items.entries()) {
      if (!isObject(item)) continue
      const slot = found[position] ?? this.#placed(item, position, matched, waiting) ?? this.#add(item, position)
      matched.add(slot)
      if (!slot.isDone) this.#update(slot, item)
    }
    return matched
  }

  /** Finds slots by the item's id, by position and call id, or by call id. Excludes slots of another type or call. */
  #named(item: JsonObject, position: number): readonly Slot[] {
    const callId = stringAt(item, 'call_id')
    const placed = this.#byIndex.get(position)
    const slots = [
      this.#byId.get(stringAt(item, 'id') ?? ''),
      callId && stringAt(placed?.item, 'call_id') === callId ? placed : undefined,
      this.#byCallId.get(callId ?? ''),
    ]
    return slots.filter((slot) => slot !== undefined && isSame(slot, item)) as Slot[]
  }

  /** Finds the slot of an item whose call id changed: by the item's id, by position, or else the next slot of the same type. */
  #placed(
    item: JsonObject,
    position: number,
    matched: ReadonlySet<Slot>,
    waiting: ReadonlyMap<string, Slot[]>,
  ): Slot | undefined {
    const isFree = (slot: Slot | undefined) => slot !== undefined && !matched.has(slot) && isAlike(slot, item)
    const slot = [this.#byId.get(stringAt(item, 'id') ?? ''), this.#byIndex.get(position)].find(isFree)
    if (slot !== undefined) return slot
    const next = waiting.get(stringAt(item, 'type') ?? '') ?? []
    while (next.length > 0 && matched.has(next.at(-1) as Slot)) next.pop()
    return isFree(next.at(-1)) ? next.at(-1) : undefined
  }

  /**
   * Finds the slot of an event by index, item id or call id. If the event has none of these, returns the last slot. If several items have
   * the same index, the item id decides.
   */
  #find(event: unknown): Slot | undefined {
    const index = numberAt(event, 'output_index')
    const id = idIn(event)
    if (index === undefined && id === undefined) return this.#byCallId.get(stringAt(event, 'call_id') ?? '') ?? this.#slots.at(-1)
    const named = this.#byId.get(id ?? '')
    const placed = index === undefined || named?.index === index ? undefined : this.#byIndex.get(index)
    // A relay may send the call id as the item id.
    return placed ?? named ?? this.#byCallId.get(id ?? '')
  }

  /**
   * Returns the only incomplete slot of a type, for an event with an unknown id. Undefined if several slots are incomplete, or if both
   * the event and the slot have an index.
   */
  #onlyOpen(event: unknown, type: string): Slot | undefined {
    const open = this.#open.get(type)
    const slot = open?.size === 1 ? open.values().next().value : undefined
    return numberAt(event, 'output_index') === undefined || slot?.index === undefined ? slot : undefined
  }

  #add(item: JsonObject, index: number | undefined): Slot {
    const type = stringAt(item, 'type') ?? ''
    const streamed = { text: 0, reasoning: 0, refusal: 0 }
    const slot: Slot = {
      ...{ type, item, isDone: false, streamed, pieces: '', whole: undefined },
      ...{ isStarted: false, isEmitted: false, index },
    }
    this.#slots.push(slot)
    if (index !== undefined) this.#byIndex.set(index, slot)
    const open = this.#open.get(type) ?? new Set()
    this.#open.set(type, open.add(slot))
    return this.#register(slot, item)
  }

  #update(slot: Slot, item: JsonObject): Slot {
    slot.item = isCall(item) ? mergeItem(slot.item, item) : item
    return this.#register(slot, item)
  }

  #register(slot: Slot, item: JsonObject): Slot {
    const [id, callId] = [stringAt(item, 'id'), stringAt(item, 'call_id')]
    if (id) this.#byId.set(id, slot)
    if (callId) this.#byCallId.set(callId, slot)
    return slot
  }
}

function idIn(event: unknown): string | undefined {
  return stringAt(event, 'item_id') || stringAt(fieldAt(event, 'item'), 'id') || undefined
}

/** Groups slots by type. Each list is reversed, so that `pop` returns the slots in order. */
function byType(slots: readonly Slot[]): ReadonlyMap<string, Slot[]> {
  const lists = new Map<string, Slot[]>()
  for (const slot of [...slots].reverse()) {
    const list = lists.get(slot.type) ?? []
    lists.set(slot.type, list)
    list.push(slot)
  }
  return lists
}

/** Merges a later version of a call into a known one. Ignores empty fields of the later version, and keeps the first call id. */
function mergeItem(known: JsonObject, item: JsonObject): JsonObject {
  const callId = stringAt(known, 'call_id')
  const present = Object.fromEntries(Object.entries(item).filter(([, value]) => value !== '' && value !== null))
  return { ...known, ...present, ...(callId ? { call_id: callId } : {}) }
}

/** True for items of the same type, unless they have different call ids. */
function isSame({ type, item }: Slot, other: JsonObject): boolean {
  const [callId, otherId] = [stringAt(item, 'call_id'), stringAt(other, 'call_id')]
  return type === stringAt(other, 'type') && (!callId || !otherId || callId === otherId)
}

/** True for items of the same type and name, even if their ids differ. */
function isAlike({ type, item }: Slot, other: JsonObject): boolean {
  const [name, otherName] = [stringAt(item, 'name'), stringAt(other, 'name')]
  return type === stringAt(other, 'type') && (!name || !otherName || name === otherName)
}
