/** Deletes a file, a link, or a directory. */
import { lstat, rmdir, unlink } from 'node:fs/promises'
import type { Directory } from './directory.ts'
import { fileError } from './errors.ts'
import type { Entry, Jail } from './jail.ts'
import type { Place } from './path.ts'
import { quote } from './quote.ts'
import { assertGoing } from './signal.ts'
import { isTemporaryName } from './temporary.ts'
import { namesOf, type WalkOptions, walk } from './walk.ts'

export interface RemoveOptions {
  readonly recursive: boolean
  readonly maxEntries: number
  readonly maxDepth: number
  readonly signal: AbortSignal
}

/**
 * Says how many files, links and directories are gone. A link is deleted itself, never what it points to. What is beyond a
 * limit is refused before anything is deleted.
 */
export async function remove(jail: Jail, place: Place, options: RemoveOptions): Promise<number> {
  return jail.within(place, async (entry) => {
    const stats = await lstat(entry.directory.pathOf(entry.name))
    if (stats.isDirectory()) return removeDirectory(jail, entry, options)
    await removeFile(entry)
    return 1
  })
}

async function removeDirectory(jail: Jail, entry: Entry, options: RemoveOptions): Promise<number> {
  const { recursive, maxDepth, signal } = options
  const directory = await jail.childOf(entry)
  try {
    const held = await countBelow(jail, directory, entry, options)
    if (held > 0 && !recursive) {
      throw fileError('not_empty', `${quote(entry.given)} is not empty. With recursive: true it is deleted with all it holds.`)
    }
    await emptyDirectory(jail, directory, entry.given, { depth: maxDepth, signal, recursive })
    await entry.directory.confirm()
    await rmdir(entry.directory.pathOf(entry.name))
    return held + 1
  } finally {
    await directory.close()
  }
}

async function countBelow(jail: Jail, directory: Directory, { given }: Entry, options: RemoveOptions): Promise<number> {
  const { recursive, maxEntries, maxDepth, signal } = options
  const onCut = () => {
    throw tooMuch(given, options)
  }
  let count = 0
  for await (const _ of walk(jail, directory, given, { depth: maxDepth, recursive, signal, onCut })) {
    count += 1
    // One is enough to refuse.
    if (!recursive) break
    if (count > maxEntries) onCut()
  }
  return count
}

/** Leaves a directory that is held by nobody else empty; unfinished writes go in any case. */
async function emptyDirectory(
  jail: Jail,
  directory: Directory,
  path: string,
  options: Pick<WalkOptions, 'depth' | 'signal' | 'recursive'>,
): Promise<void> {
  const { depth, signal, recursive } = options
  const onCut = () => {
    throw fileError('limit', `${quote(path)} grew during the call, and was not deleted.`)
  }
  for (const name of await namesOf(directory, { signal, all: true, onCut })) {
    assertGoing(signal)
    if (!recursive && !isTemporaryName(name)) continue
    const entry = { directory, name, given: `${path}/${name}` }
    const stats = await lstat(directory.pathOf(name))
    if (!stats.isDirectory()) {
      await removeFile(entry)
      continue
    }
    if (depth <= 1) onCut()
    const child = await jail.childOf(entry)
    try {
      await emptyDirectory(jail, child, entry.given, { ...options, depth: depth - 1 })
    } finally {
      await child.close()
    }
    await directory.confirm()
    await rmdir(directory.pathOf(name))
  }
}

async function removeFile({ directory, name }: Entry): Promise<void> {
  await directory.confirm()
  await unlink(directory.pathOf(name))
}

function tooMuch(given: string, { maxEntries, maxDepth }: RemoveOptions): Error {
  return fileError(
    'limit',
    `${quote(given)} holds more than ${maxEntries} entries, is deeper than ${maxDepth} levels, or cannot be read whole; nothing was deleted.`,
  )
}
