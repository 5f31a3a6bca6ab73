/** Says in plain words why a database file cannot be used. */
import { accessSync, constants, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { SqlError } from './sql-client.ts'

/** By Node's code of a failure, or by a part of what SQLite says. */
const REASONS: readonly (readonly [string, string])[] = [
  ['EACCES', 'you have no permission to read and write it, or to make files beside it'],
  ['EPERM', 'you have no permission to read and write it, or to make files beside it'],
  ['EROFS', 'its file system is read-only'],
  ['ENOSPC', 'the disk is full'],
  ['ENOTDIR', 'a part of its path is a file, not a directory'],
  ['EEXIST', 'a part of its path is a file, not a directory'],
  ['ENOENT', 'no file can be made there'],
  ['ENAMETOOLONG', 'its name is too long'],
  ['not a database', 'it is not an SQLite database'],
  ['malformed', 'the file is damaged or cut short'],
  ['locked', 'another program is using it'],
  ['readonly', 'it cannot be written'],
  ['disk is full', 'the disk is full'],
]

/** The error names the file and the reason, in one line. */
export function cannotOpen(file: string, failure: unknown): SqlError {
  const message = failure instanceof Error ? failure.message : String(failure)
  const code = failure instanceof Error && 'code' in failure ? failure.code : undefined
  const [, reason = message] = REASONS.find(([sign]) => sign === code || message.includes(sign)) ?? []
  return new SqlError('cannot_open', `Cannot open the database ${resolve(file)}: ${reason}.`, failure)
}

/** Throws for what is there and is no file of ours to write, before anything is made beside it. */
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
