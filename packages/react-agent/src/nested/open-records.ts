/** The records made inside the unfinished calls of a turn. */

/** The records of one call as JSON texts, by key. */
export type Records = Map<string, string>

/** The records as plain data: for each call id, JSON texts by key. */
export type KeptRecords = Readonly<Record<string, Readonly<Record<string, string>>>>

export class OpenRecords {
  readonly #byCall = new Map<string, Records>()

  constructor(kept: KeptRecords = {}) {
    for (const [callId, texts] of Object.entries(kept)) this.#byCall.set(callId, new Map(Object.entries(texts)))
  }

  has(callId: string): boolean {
    return this.#byCall.has(callId)
  }

  /** Returns the records of a call. The call adds to them. */
  of(callId: string): Records {
    const known = this.#byCall.get(callId)
    if (known !== undefined) return known
    const records: Records = new Map()
    this.#byCall.set(callId, records)
    return records
  }

  /** Drops the records of a call that has its outcome. */
  drop(callId: string): void {
    this.#byCall.delete(callId)
  }

  clear(): void {
    this.#byCall.clear()
  }

  toJSON(): KeptRecords {
    const entries: [string, object][] = []
    for (const [callId, records] of this.#byCall) entries.push([callId, Object.fromEntries(records) as object])
    return Object.fromEntries(entries) as never
  }
}
