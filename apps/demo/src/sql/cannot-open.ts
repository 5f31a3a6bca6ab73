/** Explains why a database file can't be used, in one line. */
import { accessSync, constants, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { SqlError } from './sql-client.ts'

/** Reasons by Node's error code, or by a part of SQLite's message. */
const REASONS: readonly (readonly [string, string])[] = [
  ['EACCES', 'you have no permission to read and write it, or to create files beside it'],
  ['EPERM', 'you have no permission to read and write it, or to create files beside it'],
  ['EROFS', 'its file system is read-only'],
  ['ENOSPC', 'the disk is full'],
  ['ENOTDIR', 'a part of its path is a file, not a directory'],
  ['EEXIST', 'a part of its path is a file, not a directory'],
  ['ENOENT', 'the file cannot be created there'],
  ['ENAMETOOLONG', 'its name is too long'],
  ['not a database', 'it is not an SQLite database'],
  ['malformed', 'the file is damaged or truncated'],
  ['locked', 'another program is using it'],
  ['readonly', 'it cannot be written'],
  ['disk is full', 'the disk is full'],
]

/** Returns an error with the file and the reason, in one line. */
export function cannotOpen(file: string, failure: unknown): SqlError {
  const message = failure instanceof Error ? failure.message : String(failure)
  const code = failure instanceof Error && 'code' in failure ? failure.code : undefined
  const [, reason = message] = REASONS.find(([sign]) => sign === code || message.includes(sign)) ?? []
  return new SqlError('cannot_open', `Cannot open the database ${resolve(file)}: ${reason}.`, failure)
}

/** Throws if the path can't be used as a writable file, before anything is created beside it. */
export function assertUsable(file: string): void {
  try {
    const found = statSync(file, { throwIfNoEntry: false })
    if (found === undefined) return
    if (found.isDirectory()) throw new Error('it is a directory')
    if (!found.isFile()) throw new Error('it is a device, not a file')
    accessSync(file, constants.R_OK | constants.W_OK)
  } catch (failure) {
    throw cannotOpen(file, failure)
  }
}
