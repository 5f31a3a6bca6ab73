/**
 * Sends orders to the process that has a run, as files in a folder. That process executes the order, records the result in the
 * journal, and deletes the file. The sender then reads the result from the journal. Executing an order twice has the same effect
 * as executing it once.
 */
import { randomUUID } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import { readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openRegular } from '@x/file-owner'
import { toJsonText } from '../engine/json-text.ts'
import type { Report } from '../engine/options.ts'
import { assertRunId } from '../engine/run-errors.ts'
import { codeOf, failed } from './journal/file-errors.ts'
import { assertFits, MAX_LINE_BYTES } from './journal/record.ts'

export interface Order {
  readonly id: string
  /** Start time of the run. Distinguishes the run from a later one with the same id. */
  readonly startedAt: string
  readonly what: { readonly type: 'cancel' } | { readonly type: 'decide'; readonly name: string; readonly value?: unknown }
}

export interface Posted {
  /** Returns true until the order has been executed, or discarded because it came too late. */
  isThere(): boolean
  withdraw(): Promise<void>
}

export interface Received {
  readonly order: Order
  remove(): Promise<void>
}

const ENDING = '.order'
/** Suffix of an order file that is still being written. */
const NEW = '.new'
const STALE_MS = 60_000

export class Mailbox {
  readonly #folder: string
  readonly #report: Report
  /** Paths of unreadable orders that have already been reported. */
  readonly #unread = new Set<string>()

  constructor(folder: string, report: Report) {
    this.#folder = folder
    this.#report = report
  }

  /** Rejects if no order can be written. Writes a file, because only that shows that the disk isn't full. */
  async assertWritable(): Promise<void> {
    // If this process is killed, the file is deleted like an incomplete order.
    const path = `${this.#newPath()}${NEW}`
    await this.#write(path, '\n', 'The folder "orders" cannot be written')
    await this.#remove(path)
  }

  async post(order: Order): Promise<Posted> {
    const path = this.#newPath()
    const text = toJsonText(order, 'An order for another process') as string
    assertFits(Buffer.byteLength(text), 'A decision for a run of another process')
    const words = 'An order for another process cannot be written'
    await this.#write(`${path}${NEW}`, text, words)
    await rename(`${path}${NEW}`, path).catch((cause) => {
      throw failed(words, cause)
    })
    return { isThere: () => existsSync(path), withdraw: () => this.#remove(path) }
  }

  async receive(): Promise<readonly Received[]> {
    const received: Received[] = []
    const names = await readdir(this.#folder).catch((cause) => {
      throw failed('The folder "orders" cannot be read', cause)
    })
    for (const name of names.sort()) {
      const path = join(this.#folder, name)
      if (name.endsWith(`${ENDING}${NEW}`)) await this.#removeStale(path)
      if (!name.endsWith(ENDING)) continue
      const order = await this.#read(path)
      if (order !== undefined) received.push({ order, remove: () => this.#remove(path) })
    }
    return received
  }

  /** File names start with the time, so sorting them by name sorts them by time. */
  #newPath(): string {
    return join(this.#folder, `${Date.now().toString(36).padStart(9, '0')}-${randomUUID()}${ENDING}`)
  }

  /** Writes a new file. Deletes it if that fails, for example because the disk is full. */
  async #write(path: string, text: string, words: string): Promise<void> {
    try {
      await writeFile(path, text, { flag: 'wx', mode: 0o600 })
    } catch (cause) {
      await rm(path, { force: true }).catch(() => {})
      throw failed(words, cause)
    }
  }

  async #read(path: string): Promise<Order | undefined> {
    try {
      const order: unknown = JSON.parse(await readOrder(path))
      assertOrder(order)
      return order
    } catch (cause) {
      // The sender has withdrawn the order, or another process has executed it.
      if (codeOf(cause) === 'ENOENT') return undefined
      // Reports each unreadable order only once.
      if (!this.#unread.has(path)) this.#report(failed('An order for a run cannot be read', cause))
      this.#unread.add(path)
      // An order with invalid content can never be executed, so delete it.
      if (codeOf(cause) === undefined || codeOf(cause) === 'invalid_id') await this.#remove(path)
      return undefined
    }
  }

  /** Deletes an incomplete order whose sender was killed. */
  async #removeStale(path: string): Promise<void> {
    const writtenAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()
    if (Date.now() - writtenAt > STALE_MS) await this.#remove(path)
  }

  /** Deletes an order. A failure is only reported: the order is then executed again, which has no further effect. */
  async #remove(path: string): Promise<void> {
    await rm(path, { force: true }).catch(this.#report)
  }
}

/** Throws if the order has an unknown format. Another program or a later version may have written it. */
function assertOrder(order: unknown): asserts order is Order {
  const { id, startedAt, what } = order as Order
  assertRunId(id)
  const isWhat = what.type === 'cancel' || (what.type === 'decide' && typeof what.name === 'string')
  if (typeof startedAt !== 'string' || !isWhat)
    throw new TypeError('The order has an unknown format. A later version may have written it.')
}

async function readOrder(path: string): Promise<string> {
  await using handle = await openRegular(path)
  const { size } = await handle.stat()
  // A larger file can't be a valid order.
  if (size > MAX_LINE_BYTES) throw Object.assign(new Error('The order is too large.'), { code: 'EMSGSIZE' })
  return await handle.readFile('utf8')
}
