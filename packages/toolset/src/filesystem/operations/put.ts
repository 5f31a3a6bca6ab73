/** Writes a file completely or not at all. */
import { type BigIntStats, constants, type Stats } from 'node:fs'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { assertGoing, codeOf, existsAlready } from '../errors.ts'
import { assertRegular } from '../jail/file.ts'
import type { Entry, Jail } from '../jail/jail.ts'
import { temporaryName } from '../jail/temporary.ts'
import { quote } from '../quote.ts'
import { nameFile, renameIfUnchanged } from './rename.ts'

const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW = 0 } = constants
const PERMISSIONS = 0o777

export interface PutOptions {
  /** Whether the call may replace an existing file. */
  readonly overwrite: boolean
  /** Permissions of the new file. Default: those of the file that it replaces, or else the system's default. */
  readonly mode?: number | undefined
  /** The version of the file that the content was derived from. If the file has changed since then, the call fails with `busy`. */
  readonly basis?: BigIntStats | undefined
  readonly signal: AbortSignal
}

/**
 * Writes a temporary file in the same directory, syncs it to disk, and renames it. If the process is killed, the old content therefore
 * remains. Hard links to the old file keep the old content, because the result is a new file. Returns true if no file existed before.
 */
export async function putFile(
  jail: Jail,
  target: Entry,
  { overwrite, mode, basis, signal }: PutOptions,
  fill: (handle: FileHandle) => Promise<void>,
): Promise<boolean> {
  const earlier = await assertFree(jail, target, { overwrite, isFile: true })
  const temporary = { ...target, name: temporaryName() }
  const path = target.directory.pathOf(temporary.name)
  const permissions = mode ?? earlier?.mode
  // Sets the permissions before the file has any content, so that other users can't read private content in the meantime.
  const handle = await open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, permissions === undefined ? 0o666 : 0o600)
  try {
    try {
      await target.directory.confirm(temporary.name, handle)
      await setMode(handle, permissions)
      await fill(handle)
      await handle.sync()
    } finally {
      await handle.close()
    }
    assertGoing(signal)
    await (basis === undefined ? nameFile(temporary, target, overwrite) : renameIfUnchanged(temporary, target, basis))
    return earlier === undefined
  } catch (error) {
    // Ignores an error here, so that the first error is reported.
    await unlink(path).catch(() => undefined)
    throw error
  }
}

/** Sets the mode if it differs. Otherwise avoids `chmod`, which some file systems don't support. */
async function setMode(handle: FileHandle, mode: number | undefined): Promise<void> {
  if (mode === undefined || ((await handle.stat()).mode & PERMISSIONS) === (mode & PERMISSIONS)) return
  await handle.chmod(mode & PERMISSIONS)
}

/**
 * Returns the file that would be replaced, or undefined if there is none. Refuses links, even dangling ones, and files that must not be
 * overwritten. A directory (`isFile: false`) may not replace anything.
 */
export async function assertFree(
  jail: Jail,
  entry: Entry,
  { overwrite, isFile }: { readonly overwrite: boolean; readonly isFile: boolean },
): Promise<Stats | undefined> {
  const earlier = await lstatOrNothing(jail, entry)
  if (earlier === undefined) return undefined
  if (!overwrite || !isFile) throw existsAlready(quote(entry.given), isFile && earlier.isFile())
  assertRegular(earlier, entry.given)
  return earlier
}

export async function lstatOrNothing(jail: Jail, entry: Entry): Promise<Stats | undefined> {
  try {
    return await jail.lstat(entry)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}
