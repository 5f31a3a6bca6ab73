/**
 * Where the journals of runs lie: those that can go on in the folder itself, those that wait in `waiting`, and those that are over in
 * `ended`. Whoever writes to one has its lock and puts it into the folder itself before; where it lies afterwards is what it says.
 * So after a crash it lies in the folder itself, where workers look.
 */
import { lstatSync } from 'node:fs'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { NO_FILE, OWNER, openRegular } from '@x/file-owner'
import { DurableError } from '../errors.ts'
import { toFile, toId } from './file-name.ts'
import { syncFolder } from './journal/file-journal.ts'
import { readJournalFile } from './journal/read-journal.ts'
import { notJournal } from './journal/record.ts'
import { type RunRecords, toRunRecords } from './run-records.ts'

export type Place = 'open' | 'waiting' | 'ended'

export interface Found {
  readonly place: Place
  readonly path: string
  /** Another one when the journal was written to, or put elsewhere. */
  readonly stamp: string
  /** When the file was made, in milliseconds; where that is not known, or it is a copy, when it was written to. */
  readonly madeAt: number
}

/** Between two looks it may be moved on, so it is looked for where it can come to once more. */
const SEARCH: readonly Place[] = ['open', 'waiting', 'open', 'waiting', 'ended']

export class RunFolder {
  readonly #paths: { readonly [P in Place]: string }
  /** Where processes leave orders for others. */
  readonly orders: string
  /** Ids by the names of files that do not tell them. */
  readonly #hashed = new Map<string, string>()

  private constructor(folder: string) {
    this.#paths = { open: folder, waiting: join(folder, 'waiting'), ended: join(folder, 'ended') }
    this.orders = join(folder, 'orders')
  }

  static async open(path: string): Promise<RunFolder> {
    const folder = new RunFolder(path)
    for (const part of [folder.#paths.waiting, folder.#paths.ended, folder.orders])
      await mkdir(part, { recursive: true, mode: 0o700 }).catch((cause) => {
        throw failed('The folder of the runs cannot be made', cause)
      })
    return folder
  }

  /** What has a lock beside it while a process writes to the journal, wherever that lies. Of a run that can go on, the journal. */
  lockOf(id: string): string {
    return join(this.#paths.open, toFile(id))
  }

  find(id: string): Found | undefined {
    for (const place of SEARCH) {
      const found = this.#statOf(place, toFile(id))
      if (found !== undefined) return found
    }
    return undefined
  }

  /** Undefined when there is none, or no run was begun in it. */
  async read(id: string): Promise<RunRecords | undefined> {
    for (const place of SEARCH) {
      const records = await readRecords(join(this.#paths[place], toFile(id)))
      if (records !== undefined) return records
    }
    return undefined
  }

  /** Only by whoever has the lock. */
  async move(id: string, from: Place, to: Place): Promise<void> {
    const file = toFile(id)
    const moved = () => rename(join(this.#paths[from], file), join(this.#paths[to], file))
    try {
      await moved().catch(async (cause) => {
        // Somebody may have removed it with all that was in it.
        if (codeOf(cause) !== 'ENOENT') throw cause
        await mkdir(this.#paths[to], { mode: 0o700 }).catch(() => {})
        await moved()
      })
    } catch (cause) {
      throw failed('The journal of a run cannot be moved', cause)
    }
  }

  /** So that a journal which was moved there is there after the machine has stopped. */
  sync(): Promise<void> {
    return syncFolder(this.#paths.open)
  }

  /** Removes the journal of a run that was never begun. */
  async forget(id: string): Promise<void> {
    await rm(this.lockOf(id), { force: true })
  }

  /** Of runs that can go on, and of those that were put nowhere else before their process was killed. */
  async idsOfOpen(): Promise<readonly string[]> {
    return (await this.#files('open')).map(({ id }) => id)
  }

  /** Of the locks beside which there is no journal: somebody writes to one that lies elsewhere, or was killed. */
  async locksAlone(): Promise<readonly string[]> {
    const folder = this.#paths.open
    const names = new Set(await readdir(folder).catch(() => []))
    const files = [...names].filter((name) => name.endsWith(OWNER)).map((name) => name.slice(0, -OWNER.length))
    return files.filter((file) => toId(file) !== undefined && !names.has(file)).map((file) => join(folder, file))
  }

  /** The newest first. */
  async idsByAge(places: readonly Place[]): Promise<readonly string[]> {
    const ages = new Map<string, number>()
    for (const place of places) {
      for (const [index, { id, file }] of (await this.#files(place)).entries()) {
        if (index % AT_ONCE === AT_ONCE - 1) await new Promise((resolve) => setImmediate(resolve))
        const found = this.#statOf(place, file)
        if (found !== undefined) ages.set(id, found.madeAt)
      }
    }
    return [...ages].sort(([, one], [, other]) => other - one).map(([id]) => id)
  }

  async #files(place: Place): Promise<readonly { readonly id: string; readonly file: string }[]> {
    const names = await readdir(this.#paths[place]).catch((cause) => {
      // Removed with all that was in it.
      if (place !== 'open' && codeOf(cause) === 'ENOENT') return []
      throw failed('The folder of the runs cannot be read', cause)
    })
    const files: { id: string; file: string }[] = []
    for (const file of names) {
      const read = toId(file)
      const id = read === 'hashed' ? await this.#idOf(place, file) : read?.id
      if (id !== undefined) files.push({ id, file })
    }
    return files
  }

  async #idOf(place: Place, file: string): Promise<string | undefined> {
    const known = this.#hashed.get(file)
    if (known !== undefined) return known
    // One that cannot be read belongs to nobody who could be named.
    const id = (await readRecords(join(this.#paths[place], file)).catch(() => undefined))?.start.id
    if (id !== undefined) this.#hashed.set(file, id)
    return id
  }

  #statOf(place: Place, file: string): Found | undefined {
    const path = join(this.#paths[place], file)
    try {
      // Of a link, its own: it is no journal, wherever it leads.
      const stat = lstatSync(path, { throwIfNoEntry: false })
      if (stat === undefined) return undefined
      const { birthtimeMs, mtimeMs, size } = stat
      const madeAt = birthtimeMs > 0 ? Math.min(birthtimeMs, mtimeMs) : mtimeMs
      return { place, path, stamp: `${place} ${mtimeMs} ${size}`, madeAt }
    } catch (cause) {
      throw failed('The journal of a run cannot be read', cause)
    }
  }
}

/** Looks at files before others have their turn. */
const AT_ONCE = 200

async function readRecords(path: string): Promise<RunRecords | undefined> {
  const file = basename(path)
  const handle = await openRegular(path).catch((cause) => {
    if (codeOf(cause) === 'ENOENT') return undefined
    throw codeOf(cause) === NO_FILE ? notJournal(file) : failed('The journal of a run cannot be read', cause)
  })
  try {
    return handle && toRunRecords((await readJournalFile(handle, file)).lines)
  } catch (cause) {
    throw cause instanceof DurableError ? cause : failed('The journal of a run cannot be read', cause)
  } finally {
    await handle?.close()
  }
}

/** The words of the file system name the whole path. */
export function failed(words: string, cause: unknown): DurableError {
  return new DurableError('cannot_open', `${words} (${codeOf(cause)}).`, { cause })
}

export function codeOf(cause: unknown): unknown {
  return (cause as { readonly code?: unknown } | null)?.code
}
