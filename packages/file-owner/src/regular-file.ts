/** Opens only regular files, so that no call blocks on a pipe, reads a device or follows a link. */
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, type Stats } from 'node:fs'
import { type FileHandle, lstat, open } from 'node:fs/promises'

/**
 * `O_NOFOLLOW` refuses links. `O_NONBLOCK` prevents `open` from waiting for a pipe's writer. On Windows, which has neither flag, checking
 * the file type is enough.
 */
const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants

/** Code of the error for a path that isn't a regular file. */
export const NO_FILE = 'EFTYPE'

/** Opens a regular file. Rejects with the errors of `open`, and with `NO_FILE` for anything else. */
export async function openRegular(path: string, flags = O_RDONLY, mode?: number): Promise<FileHandle> {
  // Checked before opening, because opening a device may have an effect.
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

/** Returns at most the first `maxBytes` bytes of a file. Throws the errors of `openSync`, and `NO_FILE` for anything but a regular file. */
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

/** Ignores a missing file, because the call that opens the file reports it. */
function missing(cause: { readonly code?: unknown }): undefined {
  if (cause.code !== 'ENOENT') throw cause
}

function assertRegular(stats: Stats | undefined): void {
  if (stats === undefined || stats.isFile()) return
  throw Object.assign(new Error('Not a regular file.'), { code: NO_FILE })
}
