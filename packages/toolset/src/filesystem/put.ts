/** Puts a file into its place, whole or not at all. */
import { type BigIntStats, constants, type Stats } from 'node:fs'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { assertGoing, codeOf, existsAlready } from './errors.ts'
import { assertRegular } from './file.ts'
import type { Entry, Jail } from './jail.ts'
import { quote } from './quote.ts'
import { nameFile, renameIfUnchanged } from './rename.ts'
import { temporaryName } from './temporary.ts'

const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW = 0 } = constants
const PERMISSIONS = 0o777

export interface PutOptions {
  /** May an earlier file be replaced? */
  readonly overwrite: boolean
  /** Permissions of the new file; those of the earlier file, or the usual ones, unless told. */
  readonly mode?: number | undefined
  /** What the content was made from: it must be there unchanged to be replaced, or the call is `busy`. */
  readonly basis?: BigIntStats | undefined
  readonly signal: AbortSignal
}

/**
 * Fills a temporary file in the same directory, brings it to the disk, then gives it the name: who is killed in between leaves
 * the old content. What is put is a new file: a hard link of the old one elsewhere keeps the old content. Says whether there
 * was none before.
 */
export async function putFile(
  jail: Jail,
  target: Entry,
  { overwrite, mode, basis, signal }: PutOptions,
  fill: (handle: FileHandle) => Promise<void>,
): Promise<boolean> {
  const earlier = await assertFree(jail, target, overwrite)
  const temporary = { ...target, name: temporaryName() }
  const path = target.directory.pathOf(temporary.name)
  const permissions = mode ?? earlier?.mode
  // Before anything is in it: what only some may read must not lie open to all until the file is whole.
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
    // The first error is the one to tell.
    await unlink(path).catch(() => undefined)
    throw error
  }
}

/** Only when it is another one: some file systems have none to set. */
async function setMode(handle: FileHandle, mode: number | undefined): Promise<void> {
  if (mode === undefined || ((await handle.stat()).mode & PERMISSIONS) === (mode & PERMISSIONS)) return
  await handle.chmod(mode & PERMISSIONS)
}

/** What is under the name: nothing, or a regular file that may be overwritten. A link, dangling or not, is refused. */
export async function assertFree(jail: Jail, entry: Entry, overwrite: boolean): Promise<Stats | undefined> {
  const earlier = await lstatOrNothing(jail, entry)
  if (earlier === undefined) return undefined
  if (!overwrite) throw existsAlready(quote(entry.given))
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
