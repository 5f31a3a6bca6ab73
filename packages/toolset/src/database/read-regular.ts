/** Reads a small file that others may have put there: nothing waits for a pipe, reads a device, or goes through a link. */
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, type Stats } from 'node:fs'

/** Windows has neither. `O_NONBLOCK`: opening a pipe must not wait for a writer. */
const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants

/** The code of the error for what is there under the name, and is no regular file. */
export const NO_FILE = 'EFTYPE'

/** Its beginning, at most `maxBytes`. Throws as `openSync` does, and `NO_FILE`. */
export function readRegular(path: string, maxBytes: number): string {
  // Before opening: opening a device may do something.
  assertRegular(lstatSync(path, { throwIfNoEntry: false }))
  const file = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  try {
    assertRegular(fstatSync(file))
    const bytes = Buffer.alloc(maxBytes)
    let length = 0
    for (let read = -1; read !== 0; length += read) read = readSync(file, bytes, length, maxBytes - length, length)
    return bytes.toString('utf8', 0, length)
  } finally {
    closeSync(file)
  }
}

function assertRegular(stats: Stats | undefined): void {
  if (stats === undefined || stats.isFile()) return
  throw Object.assign(new Error('It is no regular file.'), { code: NO_FILE })
}
