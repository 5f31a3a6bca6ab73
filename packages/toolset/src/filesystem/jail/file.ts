/** Opens a regular file below the root, and reads it up to a limit. */
import { constants, type Stats } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { isToolError } from '@x/tool-core'
import { assertGoing, fileError } from '../errors.ts'
import { quote } from '../quote.ts'
import type { Entry, Jail } from './jail.ts'

/**
 * Flags for opening. `O_NONBLOCK` prevents `open` from waiting for the writer of a pipe. Windows lacks `O_NOFOLLOW` and `O_NONBLOCK`, and
 * relies on the check after opening.
 */
const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants
const CHUNK_BYTES = 65_536
/** Maximum number of attempts to open a file that another process keeps replacing. */
const ATTEMPTS = 30

export interface OpenFile {
  readonly handle: FileHandle
  readonly stats: Stats
}

export interface ReadLimits {
  readonly maxBytes: number
  readonly signal: AbortSignal
}

/** Opens a regular file, verifies that it is below the root, and calls `use` with it. */
export async function withFile<T>(jail: Jail, entry: Entry, use: (file: OpenFile) => Promise<T>): Promise<T> {
  const file = await openSure(jail, entry)
  try {
    return await use(file)
  } finally {
    await file.handle.close()
  }
}

async function openSure(jail: Jail, entry: Entry): Promise<OpenFile> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await openOnce(jail, entry)
    } catch (error) {
      if (attempt === ATTEMPTS || !isToolError(error) || error.reason !== 'busy') throw error
    }
  }
}

async function openOnce(jail: Jail, { directory, name, given }: Entry): Promise<OpenFile> {
  // Checked before opening, because merely opening a device may have side effects.
  assertRegular(await jail.lstat({ directory, name, given }), given)
  const handle = await open(directory.pathOf(name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  try {
    const stats = await handle.stat()
    assertRegular(stats, given)
    await directory.confirm(name, handle)
    return { handle, stats }
  } catch (error) {
    await handle.close()
    throw error
  }
}

/**
 * Reads the whole content, or throws `too_large`. The limit also applies to a file that grows while it is read, and to a file that reports
 * no size.
 */
export async function readWhole({ handle, stats }: OpenFile, given: string, { maxBytes, signal }: ReadLimits): Promise<Buffer> {
  assertSize(stats.size, given, maxBytes)
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of chunksOf(handle, stats.size)) {
    assertGoing(signal)
    size += chunk.length
    assertSize(size, given, maxBytes)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, size)
}

/** Reads from the start to the current end of the file. */
export async function* chunksOf(handle: FileHandle, expectedBytes = 0): AsyncGenerator<Buffer> {
  let position = 0
  let length = Math.min(Math.max(expectedBytes, 1), 16 * CHUNK_BYTES)
  for (;;) {
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(length), 0, length, position)
    if (bytesRead === 0) return
    yield buffer.subarray(0, bytesRead)
    position += bytesRead
    length = CHUNK_BYTES
  }
}

export function assertSize(size: number, given: string, limit: number): void {
  if (size > limit)
    throw fileError('too_large', `${quote(given)} is too large: it has at least ${size} bytes, and the limit is ${limit} bytes.`)
}

export function assertRegular(stats: Stats, given: string): void {
  if (stats.isFile()) return
  const what = stats.isDirectory() ? 'a directory' : 'a device, pipe or socket'
  throw fileError('not_a_regular_file', `${quote(given)} is ${what}, not a regular file.`)
}
