/** Reads a run's records many at a time while it is replayed. DBOS itself would read each one with three statements. */
import type Pg from 'pg'

/** Maximum number of records that are read at once, so that few of them are in memory twice. */
const PAGE = 100

export class ReadAhead {
  readonly #pool: Pg.Pool
  readonly #workflowId: string
  /** Records by the number that DBOS gave to the call. */
  #records = new Map<number, string>()
  #isComplete = false

  constructor(pool: Pg.Pool, workflowId: string) {
    this.#pool = pool
    this.#workflowId = workflowId
  }

  /** Resolves to the record of this call. Undefined if there is none, or if only DBOS can read it. */
  async take(call: number): Promise<string | undefined> {
    if (!this.#records.has(call) && !this.#isComplete) await this.#read(call)
    return this.#records.get(call)
  }

  async #read(first: number): Promise<void> {
    const query = `SELECT function_id, function_name, output FROM dbos.operation_outputs
      WHERE workflow_uuid = $1 AND function_id >= $2 ORDER BY function_id LIMIT ${PAGE}`
    const { rows } = await this.#pool.query(query, [this.#workflowId, first])
    this.#isComplete = rows.length < PAGE
    this.#records = new Map()
    for (const row of rows) {
      const record = row.function_name === 'steps' ? textOf(row.output) : undefined
      if (record !== undefined) this.#records.set(row.function_id, record)
    }
  }
}

/** Reads a string as DBOS stores it. Returns undefined for anything else, such as the missing output of a failed call. */
function textOf(output: string | null): string | undefined {
  const stored: unknown = JSON.parse(output ?? 'null')
  const text = typeof stored === 'object' ? (stored as { readonly json?: unknown } | null)?.json : undefined
  return typeof text === 'string' ? text : undefined
}
