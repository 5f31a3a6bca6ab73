/** A journal in a file: what the steps of one run gave, each on the disk before the run goes on. */
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
   * Bring every record to the disk before the step resolves; true unless told. False keeps what was recorded through the end of the
   * process, not through that of the machine.
   */
  readonly fsync?: boolean | undefined
}

export interface FileJournal extends Steps, AsyncDisposable {
  /**
   * Records what `wait(key)` gives, now or in a later process. Rejects with `DurableError`: `already_decided`, `invalid_value`,
   * `write_failed` or `closed`.
   */
  decide(key: string, value: unknown): Promise<void>
  /** Lets others have the file, once what is being written is written. A second call does nothing. */
  close(): Promise<void>
}

/**
 * Opens the journal of one run, and makes its file when there is none; the folder must be there. What a step gave is found again
 * by every later process that opens it. A last line that a crash tore is cut off: nobody was given it.
 * One that lacks only its line feed counts.
 *
 * A step that rejects is not recorded. Values are plain data: a step that gives anything else rejects with `invalid_value`. One
 * process has the file at a time, by an owner file beside it, `PATH.owner`. The file holds what model and tools said: only its
 * owner may read it.
 *
 * Rejects with `DurableError`: `in_use`, `cannot_open`, `not_a_journal`, `unsupported_version` or `broken`.
 */
export function fileJournal(path: string, options: FileJournalOptions = {}): Promise<FileJournal> {
  return openJournal(path, options)
}

async function openJournal(path: string, options: FileJournalOptions): Promise<OpenJournal> {
  const file = await toRealPath(path)
  const { release } = own(file)
  return await openOwned(file, { ...options, release })
}

/** Of a file that is owned already. `isThere`: makes no file. `release` is called when the journal is closed, or cannot be opened. */
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

/** The same file under every name, so that it has one owner. */
async function toRealPath(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch {
    // Not there yet.
    const folder = await realpath(dirname(path)).catch((cause) => {
      throw cannotOpen(cause)
    })
    return join(folder, basename(path))
  }
}

/** So that a new file is found after the machine has stopped; where folders cannot be opened, as on Windows, they need not be. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined)
  try {
    await handle?.sync()
  } finally {
    await handle?.close()
  }
}
