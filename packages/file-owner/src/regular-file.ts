/** Opens only regular files, so that no call blocks on a pipe, reads a device or follows a link. */
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, type Stats } from 'node:fs'
import { type FileHandle, lstat, open } from 'node:fs/promises'

/**
 * Flags for opening. `O_NOFOLLOW` refuses links. `O_NONBLOCK` keeps `open` from waiting for a pipe's writer. Windows has neither flag, but
 * there it's enough to check the type of the file.
 */
const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants

/** The error code for a path that isn't a regular file. */
export const NO_FILE = 'EFTYPE'

/** Opens a regular file. Rejects with the errors of `open`, or with `NO_FILE` if it isn't a regular file. */
export async function openRegular(path: string, flags = O_RDONLY, mode?: number): Promise<FileHandle> {
  // Checked before opening, because just opening a device may have effects.
  assertRegular(await lstat(path).catch(missing))
  const handle = await open(path, flags | O_NOFOLLOW | O_NONBLOCK, mode)
  try {
    assertRegular(await handle.stat())
    return handle
  } catch (error) {
    await handle.close()
    throw error
  }
}

/**
 * Returns at most the first `maxBytes` bytes of a regular file. Throws the errors of `openSync`, or `NO_FILE` if it isn't a regular file.
 */
export function readRegularSync(path: string, maxBytes: number): Buffer {
  assertRegular(lstatSync(path, { throwIfNoEntry: false }))
  const file = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  try {
    assertRegular(fstatSync(file))
    const bytes = Buffer.alloc(maxBytes)
    let length = 0
    for (let read = -1; read !== 0; length += read) read = readSync(file, bytes, length, maxBytes - length, length)
    return bytes.subarray(0, length)
  } finally {
    closeSync(file)
  }
}

/** Ignores a missing file. The call that opens the file reports it. */
function missing(cause: { readonly code?: unknown }): undefined {
  if (cause.code !== 'ENOENT') throw cause
}

function assertRegular(stats: Stats | undefined): void {
  if (stats === undefined || stats.isFile()) return
  throw Object.assign(new Error('Not a regular file.'), { code: NO_FILE })
}
