/** Explains why a database file or folder can't be used, without showing its path. */
import { accessSync, constants, existsSync, realpathSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { NO_FILE } from '@x/file-owner'
import { isToolError, type ToolError } from '@x/tool-core'
import { databaseError } from '../database-error.ts'

/** The reason for each Node error code, or for a part of SQLite's message. */
const REASONS: readonly (readonly [string, string])[] = [
  ['EACCES', 'permission denied'],
  ['EPERM', 'permission denied'],
  ['EROFS', 'its file system is read-only'],
  ['ENOSPC', 'the disk is full'],
  ['ENOTDIR', 'a part of its path is a file, not a directory'],
  ['EEXIST', 'a part of its path is a file, not a directory'],
  ['ENOENT', 'it does not exist; to create it, pass readOnly: false'],
  ['ENAMETOOLONG', 'its name is too long'],
  [NO_FILE, 'the owner file beside it is not a regular file; remove that file'],
  ['not a database', 'it is not an SQLite database'],
  ['malformed', 'the file is damaged or truncated'],
  ['locked', 'another program is using it'],
  ['readonly database', 'a crash interrupted a write; open it once with readOnly: false to repair it'],
  ['disk is full', 'the disk is full'],
  ['unable to open', 'it cannot be opened; if it is in WAL mode, run PRAGMA journal_mode=DELETE in another program first'],
]

export function cannotOpen(failure: unknown, what: 'file' | 'folder' = 'file'): ToolError {
  // No other process owns the file, because opening it would have failed before.
  if (isToolError(failure) && failure.reason === 'busy' && failure.message.includes('locked')) {
    const words =
      'another program has locked it. If no program uses it any more, delete the directory beside it that has the same name plus ".lock"'
    return databaseError('busy', `The database file is in use: ${words}.`, failure)
  }
  if (isToolError(failure) && failure.reason !== 'sql_error' && failure.reason !== 'read_only_violation') return failure
  const { code, message } = failure as { code?: unknown; message?: unknown }
  const found = REASONS.find(([sign]) => sign === code || String(message).includes(sign))
  const reason = found?.[1] ?? (isToolError(failure) ? failure.message : 'it cannot be opened')
  return databaseError('cannot_connect', `The database ${what} cannot be used: ${reason}.`, failure)
}

/** Returns the real path of a file. All links to the file then share one lock and one owner. */
export function toRealPath(file: string): string {
  return existsSync(file) ? realpathSync(file) : resolve(file)
}

/** Throws unless the path is a readable file. */
export function assertReadable(file: string): void {
  assertFile(file, constants.R_OK, true)
}

/** Throws if the path exists and isn't a writable file. Called before anything is created beside it. */
export function assertUsable(file: string): void {
  assertFile(file, constants.R_OK | constants.W_OK, false)
}

/** Throws if the path exists and isn't a writable directory. */
export function assertFolder(folder: string): void {
  try {
    const found = statSync(folder, { throwIfNoEntry: false })
    if (found === undefined) return
    if (!found.isDirectory()) throw databaseError('cannot_connect', 'The database folder cannot be used: it is not a directory.')
    accessSync(folder, constants.R_OK | constants.W_OK)
  } catch (failure) {
    throw cannotOpen(failure, 'folder')
  }
}

function assertFile(file: string, mode: number, mustExist: boolean): void {
  try {
    const found = statSync(file, { throwIfNoEntry: mustExist })
    if (found === undefined) return
    if (!found.isFile()) throw databaseError('cannot_connect', 'The database file cannot be used: it is not a regular file.')
    accessSync(file, mode)
  } catch (failure) {
    throw cannotOpen(failure)
  }
}
