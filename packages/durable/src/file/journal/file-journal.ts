/** A journal file. Records the step results of one run, each flushed to disk before the run continues. */
import { constants } from 'node:fs'
import { type FileHandle, open, realpath } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { NO_FILE, openRegular } from '@x/file-owner'
import type { Steps } from '@x/react-agent/steps'
import { AppendQueue } from './append-queue.ts'
import { OpenJournal, type Records } from './open-journal.ts'
import { cannotOpen, own } from './owner.ts'
import { readJournalFile } from './read-journal.ts'
import { FIRST_LINE, FIRST_SUM, notJournal } from './record.ts'

const { O_RDWR, O_APPEND, O_CREAT } = constants

export interface FileJournalOptions {
  /**
   * Whether to flush each record to disk before the step resolves. If false, records survive a crash of the process but not of
   * the machine. Default: true.
   */
  readonly fsync?: boolean | undefined
}

export interface FileJournal extends Steps, AsyncDisposable {
  /**
   * Records the result of `wait(key)`, for this process or a later one. Rejects with `DurableError`: `already_decided`,
   * `invalid_value`, `write_failed` or `closed`.
   */
  decide(key: string, value: unknown): Promise<void>
  /** Finishes pending writes and releases the file. A second call has no effect. */
  close(): Promise<void>
}

/**
 * Opens the journal of one run. Creates the file if it doesn't exist; the folder must exist. Each process that opens the journal
 * later gets the recorded results of its steps. If a crash tore the last line, the line is removed, because its result was never
 * returned. If it only lacks its line feed, it is kept.
 *
 * A step that rejects isn't recorded. Results must be plain data; otherwise the step rejects with `invalid_value`. Only one
 * process can have the file open; an owner file, `PATH.owner`, ensures this. The journal contains the output of the model and
 * tools, so only the user that created it can read it.
 *
 * Rejects with `DurableError`: `in_use`, `cannot_open`, `write_failed`, `not_a_journal`, `unsupported_version` or `broken`.
 */
export async function fileJournal(path: string, options: FileJournalOptions = {}): Promise<FileJournal> {
  const file = await toRealPath(path)
  const { release } = own(file)
  return await openOwned(file, { ...options, release })
}

/**
 * Opens a file that this process already owns. If `isThere` is true, the file must exist. Calls `release` on close and on
 * failure.
 */
export async function openOwned(
  file: string,
  { fsync = true, isThere = false, release = () => {} }: OwnedOptions,
): Promise<OpenJournal> {
  let handle: FileHandle | undefined
  try {
    const name = basename(file)
    handle = await openRegular(file, O_RDWR | O_APPEND | (isThere ? 0 : O_CREAT), 0o600).catch((cause) => {
      throw cause.code === NO_FILE ? notJournal(name) : cannotOpen(cause)
    })
    const { lines, length, lacksLineFeed, size } = await readJournalFile(handle, name)
    const queue = new AppendQueue(handle, fsync, length)
    if (length < size) await handle.truncate(length)
    if (length === 0) await queue.append(FIRST_LINE)
    if (lacksLineFeed) await queue.append('\n')
    if (length === 0 && fsync) await syncFolder(dirname(file))
    const records: Records = { step: new Map(), decision: new Map(), run: new Map() }
    for (const { kind, key, text } of lines) records[kind].set(key, text)
    return new OpenJournal({ handle, queue, records, sum: lines.at(-1)?.sum ?? FIRST_SUM, release })
  } catch (error) {
    await handle?.close()
    release()
    throw error
  }
}

interface OwnedOptions extends FileJournalOptions {
  readonly isThere?: boolean | undefined
  release?(): void
}

/** Resolves symbolic links, so that each file has only one owner. */
async function toRealPath(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch {
    // The file doesn't exist yet.
    const folder = await realpath(dirname(path)).catch((cause) => {
      throw cannotOpen(cause)
    })
    return join(folder, basename(path))
  }
}

/**
 * Flushes the folder, so that a new file survives a crash of the machine. Has no effect where folders can't be opened, such as on
 * Windows, where it isn't needed.
 */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined)
  try {
    await handle?.sync()
  } finally {
    await handle?.close()
  }
}
