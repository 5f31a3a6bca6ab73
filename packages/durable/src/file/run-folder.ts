/**
 * The folders of journals. Runs that can continue are in the folder itself, waiting runs in `waiting`, and ended runs in `ended`.
 * A process that writes to a journal first locks it and moves it to the folder itself. When it is done, it moves the journal to
 * the folder that matches its content. So after a crash, the journal is in the folder itself, where workers look.
 */
import { closeSync, constants, lstatSync, openSync } from 'node:fs'
import { access, mkdir, opendir, readdir, rename, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { NO_FILE, OWNER, openRegular } from '@x/file-owner'
import { isRunId } from '../engine/run-errors.ts'
import { DurableError } from '../errors.ts'
import { toFile, toId } from './file-name.ts'
import { codeOf, failed } from './journal/file-errors.ts'
import { syncFolder } from './journal/file-journal.ts'
import { cannotOpen } from './journal/owner.ts'
import { readJournalFile } from './journal/read-journal.ts'
import { notJournal } from './journal/record.ts'
import { type RunRecords, toRunRecords } from './run-records.ts'

export type Place = 'open' | 'waiting' | 'ended'

export interface Found {
  readonly place: Place
  readonly path: string
  /** Changes whenever the journal is written or moved. */
  readonly stamp: string
  /** Creation time in milliseconds since 1970. The modification time if that is earlier, or if there is no creation time. */
  readonly madeAt: number
  /** Time of the last record, in milliseconds since 1970. */
  readonly writtenAt: number
}

export interface FoundRun extends Found {
  readonly id: string
}

export interface JournalAge {
  readonly id: string
  /** As in `Found`. */
  readonly madeAt: number
}

/** The order of the search. Some folders are searched twice, because a journal may be moved during the search. */
const SEARCH: readonly Place[] = ['open', 'waiting', 'open', 'waiting', 'ended']

export class RunFolder {
  readonly #paths: { readonly [P in Place]: string }
  /** Folder for orders to other processes. */
  readonly orders: string
  /** Ids of runs with hashed file names, by file name. */
  readonly #hashed = new Map<string, string>()

  private constructor(folder: string) {
    this.#paths = { open: folder, waiting: join(folder, 'waiting'), ended: join(folder, 'ended') }
    this.orders = join(folder, 'orders')
  }

  static async open(path: string): Promise<RunFolder> {
    const folder = new RunFolder(path)
    for (const part of [folder.#paths.waiting, folder.#paths.ended, folder.orders]) {
      await mkdir(part, { recursive: true, mode: 0o700 }).catch((cause) => {
        throw failed(`Cannot create the run folder "${path}"`, cause)
      })
      if (lstatSync(part, { throwIfNoEntry: false })?.isSymbolicLink()) throw isLink(basename(part))
    }
    return folder
  }

  /**
   * Returns the path to lock before writing to the journal, whichever folder the journal is in. It is also the journal's path in
   * `open`.
   */
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

  /** Reads the records of a run. Resolves to undefined if there is no journal, or if it has no start. */
  async read(id: string): Promise<RunRecords | undefined> {
    for (const place of SEARCH) {
      const records = await readRecords(join(this.#paths[place], toFile(id)))
      if (records !== undefined) return records
    }
    return undefined
  }

  /**
   * Creates an empty journal. The caller must have locked it. Returns the time, in ISO 8601. Synchronous, so that the file has the
   * same time: runs are sorted by it.
   */
  create(id: string): string {
    try {
      closeSync(openSync(this.lockOf(id), 'wx', 0o600))
      return new Date().toISOString()
    } catch (cause) {
      throw cannotOpen(cause)
    }
  }

  /** Moves a journal. The caller must have locked it. */
  async move(id: string, from: Place, to: Place): Promise<void> {
    const file = toFile(id)
    const moved = () => rename(join(this.#paths[from], file), join(this.#paths[to], file))
    try {
      await moved().catch(async (cause) => {
        // A user may have deleted the whole folder.
        if (codeOf(cause) !== 'ENOENT') throw cause
        await mkdir(this.#paths[to], { mode: 0o700 }).catch(() => {})
        await moved()
      })
    } catch (cause) {
      throw failed('The journal of a run cannot be moved', cause)
    }
  }

  /** Flushes this folder, so that a moved journal survives a crash of the machine. */
  sync(): Promise<void> {
    return syncFolder(this.#paths.open)
  }

  /** Deletes the journal of a run that was never started. */
  async forget(id: string): Promise<void> {
    await rm(this.lockOf(id), { force: true })
  }

  /** Deletes the journal of a run. The caller must have locked it. */
  async remove({ path }: Found): Promise<void> {
    await rm(path, { force: true }).catch((cause) => {
      throw failed('The journal of a run cannot be deleted', cause)
    })
  }

  /** Returns the ids of journals in the folder `ended` whose last record is older than `time`. */
  async idsEndedBefore(time: number): Promise<readonly string[]> {
    const ids: string[] = []
    for await (const { id, writtenAt } of this.#journals('ended')) if (writtenAt < time) ids.push(id)
    return ids
  }

  /**
   * Returns the ids of journals in the folder itself: runs that can continue, and runs whose process was killed before it moved
   * the journal.
   */
  async idsOfOpen(): Promise<readonly string[]> {
    return (await this.#files('open')).map(({ id }) => id)
  }

  /**
   * Returns the ids of locks that have no journal next to them. Their process has moved the journal, hasn't created it yet, or
   * was killed.
   */
  async locksAlone(): Promise<readonly string[]> {
    const folder = this.#paths.open
    const names = new Set<string>(await readdir(folder).catch(() => []))
    const alone: string[] = []
    for (const name of names) {
      const file = name.endsWith(OWNER) ? name.slice(0, -OWNER.length) : name
      if (!names.has(file) && toId(file) !== undefined) alone.push(join(folder, file))
    }
    return alone
  }

  /**
   * Returns the journals in these folders, newest first. Omits those that are clearly older than `startedFrom`; a run doesn't start
   * before its journal is created.
   */
  async byAge(places: readonly Place[], startedFrom: string | undefined): Promise<readonly JournalAge[]> {
    const oldest = startedFrom === undefined ? 0 : Date.parse(startedFrom) - COARSE_MS
    const known = new Set<string>()
    const journals: JournalAge[] = []
    for (const place of places) {
      for await (const { id, madeAt } of this.#journals(place)) {
        if (madeAt < oldest || known.has(id)) continue
        known.add(id)
        journals.push({ id, madeAt })
      }
    }
    return journals.sort((one, other) => other.madeAt - one.madeAt)
  }

  /** Returns the runs that haven't ended. */
  async unended(): Promise<readonly FoundRun[]> {
    // In this order, a run that starts to wait meanwhile is found twice and isn't missed.
    const runs = new Map<string, FoundRun>()
    for (const place of ['open', 'waiting'] as const) for await (const run of this.#journals(place)) runs.set(run.id, run)
    return [...runs.values()]
  }

  /** Finds the journals in a folder. Other work gets a turn in between. */
  async *#journals(place: Place): AsyncGenerator<FoundRun> {
    for (const [index, { id, file }] of (await this.#files(place)).entries()) {
      if (index % AT_ONCE === AT_ONCE - 1) await new Promise((resolve) => setImmediate(resolve))
      const found = this.#statOf(place, file)
      if (found !== undefined) yield { ...found, id }
    }
  }

  /** Rejects with `cannot_open` if a folder of journals can't be read and written. */
  async assertUsable(): Promise<void> {
    for (const [place, path] of Object.entries(this.#paths))
      try {
        // Takes a file descriptor, as opening a journal does.
        await (await opendir(path)).close()
        await access(path, constants.W_OK | constants.X_OK)
      } catch (cause) {
        if (!isDeleted(place, cause)) throw failed('The folder of the runs cannot be used', cause)
      }
  }

  async #files(place: Place): Promise<readonly { readonly id: string; readonly file: string }[]> {
    const names = await readdir(this.#paths[place]).catch((cause) => {
      if (isDeleted(place, cause)) return []
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
    // The id of an unreadable journal is unknown.
    const id = (await readRecords(join(this.#paths[place], file)).catch(() => undefined))?.start.id
    // Without this check, a forged id could lead to a path outside the folder.
    if (!isRunId(id) || toFile(id) !== file) return undefined
    this.#hashed.set(file, id)
    return id
  }

  #statOf(place: Place, file: string): Found | undefined {
    const path = join(this.#paths[place], file)
    try {
      // Doesn't follow a symbolic link, because links aren't journals.
      const stat = lstatSync(path, { throwIfNoEntry: false })
      if (stat === undefined) return undefined
      const { birthtimeMs, mtimeMs, size } = stat
      const madeAt = birthtimeMs > 0 ? Math.min(birthtimeMs, mtimeMs) : mtimeMs
      return { place, path, stamp: `${place} ${mtimeMs} ${size}`, madeAt, writtenAt: mtimeMs }
    } catch (cause) {
      throw failed('The journal of a run cannot be read', cause)
    }
  }
}

/** Returns true if a user has deleted a folder that is created again when a journal moves there. */
function isDeleted(place: string, cause: unknown): boolean {
  return place !== 'open' && codeOf(cause) === 'ENOENT'
}

/**
 * Maximum time by which file times may lag behind the clock, in milliseconds. They lag by a kernel tick, or by two seconds on
 * FAT.
 */
const COARSE_MS = 3000

/** Number of files to process before yielding to the event loop. */
const AT_ONCE = 200

async function readRecords(path: string): Promise<RunRecords | undefined> {
  const file = basename(path)
  const handle = await openRegular(path).catch((cause) => {
    if (codeOf(cause) === 'ENOENT') return undefined
    throw codeOf(cause) === NO_FILE ? notJournal(file) : failed('The journal of a run cannot be read', cause)
  })
  try {
    return handle && toRunRecords((await readJournalFile(handle, file)).lines, file)
  } catch (cause) {
    throw cause instanceof DurableError ? cause : failed('The journal of a run cannot be read', cause)
  } finally {
    await handle?.close()
  }
}

/** Journals and orders would be in another directory, whose files don't belong to the engine. */
function isLink(name: string): DurableError {
  return new DurableError('cannot_open', `"${name}" in the run folder is a link. Replace it with a directory.`)
}
