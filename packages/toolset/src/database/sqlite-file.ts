/** Says in plain words, without a path, why a database file cannot be used. */
import { accessSync, constants, existsSync, realpathSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { NO_FILE } from '@x/file-owner'
import { isToolError, type ToolError } from '@x/tool-core'
import { databaseError } from './database-error.ts'

/** By Node's code of a failure, or by a part of what SQLite says. */
const REASONS: readonly (readonly [string, string])[] = [
  ['EACCES', 'this program has no permission for it'],
  ['EPERM', 'this program has no permission for it'],
  ['EROFS', 'its file system is read-only'],
  ['ENOSPC', 'the disk is full'],
  ['ENOTDIR', 'a part of its path is a file, not a directory'],
  ['EEXIST', 'a part of its path is a file, not a directory'],
  ['ENOENT', 'there is no such file; to make one, open it with readOnly: false'],
  ['ENAMETOOLONG', 'its name is too long'],
  [NO_FILE, 'what lies beside it under the name of its owner file is no regular file; remove that'],
  ['not a database', 'it is not an SQLite database'],
  ['malformed', 'the file is damaged or cut short'],
  ['locked', 'another program is using it'],
  ['readonly database', 'a crash left it half written; open it once for writing to repair it'],
  ['disk is full', 'the disk is full'],
  ['unable to open', 'it cannot be opened; one in WAL mode needs PRAGMA journal_mode=DELETE by another program first'],
]

export function cannotOpen(failure: unknown): ToolError {
  // No owner has it, or this program would not come so far.
  if (isToolError(failure) && failure.reason === 'busy' && failure.message.includes('locked')) {
    const words = 'another program works on it. If none does, one was killed: remove FILE.lock beside it'
    return databaseError('busy', `The database file is in use: ${words}.`, failure)
  }
  if (isToolError(failure) && failure.reason !== 'sql_error' && failure.reason !== 'read_only_violation') return failure
  const { code, message } = failure as { code?: unknown; message?: unknown }
  const found = REASONS.find(([sign]) => sign === code || String(message).includes(sign))
  const reason = found?.[1] ?? (isToolError(failure) ? failure.message : 'it cannot be opened')
  return databaseError('cannot_connect', `The database file cannot be used: ${reason}.`, failure)
}

/** The one path under which everybody locks and owns a file, whatever links lead to it. */
export function toRealPath(file: string): string {
  return existsSync(file) ? realpathSync(file) : resolve(file)
}

/** Throws for what is no file that can be read. */
export function assertReadable(file: string): void {
  assertFile(file, constants.R_OK, true)
}

/** Throws for what is there and is no file of ours to write, before anything is made beside it. */
export function assertUsable(file: string): void {
  assertFile(file, constants.R_OK | constants.W_OK, false)
}

/** Throws for what is there and is no folder of ours to write. */
export function assertFolder(folder: string): void {
  try {
    const found = statSync(folder, { throwIfNoEntry: false })
    if (found === undefined) return
    if (!found.isDirectory()) throw databaseError('cannot_connect', 'The database folder cannot be used: it is no folder.')
    accessSync(folder, constants.R_OK | constants.W_OK)
  } catch (failure) {
    throw cannotOpen(failure)
  }
}

function assertFile(file: string, mode: number, mustExist: boolean): void {
  try {
    const found = statSync(file, { throwIfNoEntry: mustExist })
    if (found === undefined) return
    if (!found.isFile()) throw databaseError('cannot_connect', 'The database file cannot be used: it is no regular file.')
    accessSync(file, mode)
  } catch (failure) {
    throw cannotOpen(failure)
  }
}
