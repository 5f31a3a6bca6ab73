/** Puts a file into its place, whole or not at all. */
import { constants, type Stats } from 'node:fs'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { codeOf, fileError } from './errors.ts'
import { assertRegular } from './file.ts'
import type { Entry, Jail } from './jail.ts'
import { quote } from './quote.ts'
import { renameFile } from './rename.ts'
import { assertGoing } from './signal.ts'
import { temporaryName } from './temporary.ts'

const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW = 0 } = constants
const PERMISSIONS = 0o777

export interface PutOptions {
  /** May an earlier file be replaced? */
  readonly overwrite: boolean
  /** Permissions of the new file; those of the earlier file, or the usual ones, unless told. */
  readonly mode?: number | undefined
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
  { overwrite, mode, signal }: PutOptions,
  fill: (handle: FileHandle) => Promise<void>,
): Promise<boolean> {
  const earlier = await assertFree(jail, target, overwrite)
  const temporary = { ...target, name: temporaryName() }
  const path = target.directory.pathOf(temporary.name)
  const handle = await open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o666)
  try {
    try {
      await target.directory.confirm(temporary.name, handle)
      await fill(handle)
      await setMode(handle, mode ?? earlier?.mode)
      await handle.sync()
    } finally {
      await handle.close()
    }
    assertGoing(signal)
    await renameFile(temporary, target, overwrite)
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
  if (!overwrite) throw fileError('already_exists', `${quote(entry.given)} exists already, and this call may not replace it.`)
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
