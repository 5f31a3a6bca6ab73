/** Opens what lies in a folder only if it is a regular file: nothing waits for a pipe, reads a device, or goes through a link. */
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, type Stats } from 'node:fs'
import { type FileHandle, lstat, open } from 'node:fs/promises'

/** Windows has neither; there the look at the file does the work. `O_NONBLOCK`: opening a pipe must not wait for a writer. */
const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants

/** Of what is there under the name, and is no regular file. */
export const NO_FILE = 'EFTYPE'

/** Rejects as `open` does, and with `NO_FILE`. */
export async function openRegular(path: string, flags = O_RDONLY, mode?: number): Promise<FileHandle> {
  // Before opening: opening a device may do something.
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

/** The first bytes of a file, at most `maxBytes`. Throws as `openSync` does, and `NO_FILE`. */
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

/** What opens it says so. */
function missing(cause: { readonly code?: unknown }): undefined {
  if (cause.code !== 'ENOENT') throw cause
}

function assertRegular(stats: Stats | undefined): void {
  if (stats === undefined || stats.isFile()) return
  throw Object.assign(new Error('It is no regular file.'), { code: NO_FILE })
}
