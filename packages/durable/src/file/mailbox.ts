/**
 * Orders for runs that another process has: files in a folder. Whoever has the run does what they say, records it in the journal, and
 * removes them; whoever left one looks into the journal then. So the journal alone says what was decided, and in which order; to do
 * what an order says a second time does nothing.
 */
import { randomUUID } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import { readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openRegular } from '@x/file-owner'
import { toJsonText } from '../engine/json-text.ts'
import type { Tell } from '../engine/options.ts'
import { assertRunId } from '../engine/run-errors.ts'
import { assertFits, MAX_LINE_BYTES } from './journal/record.ts'
import { codeOf, failed } from './run-folder.ts'

export interface Order {
  readonly id: string
  /** When the run was started: another one may have the id later. */
  readonly startedAt: string
  readonly what: { readonly type: 'cancel' } | { readonly type: 'decide'; readonly name: string; readonly value?: unknown }
}

export interface Posted {
  /** False when it was done, or was too late. */
  isThere(): boolean
  withdraw(): Promise<void>
}

export interface Received {
  readonly order: Order
  remove(): Promise<void>
}

const ENDING = '.order'
/** Of a file that is being written. */
const NEW = '.new'
const STALE_MS = 60_000

export class Mailbox {
  readonly #folder: string
  readonly #tell: Tell
  /** Orders that cannot be read, and stay. */
  readonly #unread = new Set<string>()

  constructor(folder: string, tell: Tell) {
    this.#folder = folder
    this.#tell = tell
  }

  async post(order: Order): Promise<Posted> {
    // In the order of their names they are in that of time.
    const path = join(this.#folder, `${Date.now().toString(36).padStart(9, '0')}-${randomUUID()}${ENDING}`)
    const text = toJsonText(order, 'An order for the process that has the run') as string
    assertFits(Buffer.byteLength(text), 'A decision for the process that has the run')
    try {
      await writeFile(`${path}${NEW}`, text, { flag: 'wx', mode: 0o600 })
      await rename(`${path}${NEW}`, path)
    } catch (cause) {
      await rm(`${path}${NEW}`, { force: true }).catch(() => {})
      throw failed('An order for the process that has the run cannot be left', cause)
    }
    return { isThere: () => existsSync(path), withdraw: () => this.#remove(path) }
  }

  async receive(): Promise<readonly Received[]> {
    const received: Received[] = []
    const names = await readdir(this.#folder).catch((cause) => {
      throw failed('The folder of the orders cannot be read', cause)
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

  async #read(path: string): Promise<Order | undefined> {
    try {
      const order = JSON.parse(await readOrder(path)) as Order
      assertRunId(order.id)
      return order
    } catch (cause) {
      // It was withdrawn, or another process was quicker.
      if (codeOf(cause) === 'ENOENT') return undefined
      // At the next looks it says nothing new.
      if (!this.#unread.has(path)) this.#tell(failed('An order for a run cannot be read', cause))
      this.#unread.add(path)
      // No later look could read it either.
      if (codeOf(cause) === undefined || codeOf(cause) === 'invalid_id') await this.#remove(path)
      return undefined
    }
  }

  /** Its process was killed when it wrote it. */
  async #removeStale(path: string): Promise<void> {
    const writtenAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()
    if (Date.now() - writtenAt > STALE_MS) await this.#remove(path)
  }

  /** One that stays is done again, which does nothing. */
  async #remove(path: string): Promise<void> {
    await rm(path, { force: true }).catch(this.#tell)
  }
}

async function readOrder(path: string): Promise<string> {
  await using handle = await openRegular(path)
  const { size } = await handle.stat()
  // No order is larger.
  if (size > MAX_LINE_BYTES) throw Object.assign(new Error('It is too large.'), { code: 'EFBIG' })
  return await handle.readFile('utf8')
}
