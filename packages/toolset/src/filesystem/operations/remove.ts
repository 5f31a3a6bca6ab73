/** Deletes a file, a link, or a directory. */
import { lstat, rmdir, unlink } from 'node:fs/promises'
import { isToolError } from '@x/tool-core'
import { about, assertGoing, type FileSystemReason, fileError } from '../errors.ts'
import type { Directory } from '../jail/directory.ts'
import type { Entry, Jail } from '../jail/jail.ts'
import { pathOf, type RawName } from '../jail/raw-name.ts'
import { isTemporaryName } from '../jail/temporary.ts'
import { namesOf, type WalkOptions, walk } from '../jail/walk.ts'
import type { Place } from '../path.ts'
import { quote } from '../quote.ts'

export interface RemoveOptions {
  readonly recursive: boolean
  readonly maxEntries: number
  readonly maxDepth: number
  readonly signal: AbortSignal
}

/**
 * Deletes an entry, and returns the number of deleted files, links and directories. Deletes a link, but never what it points to. If the
 * call would exceed a limit, nothing is deleted. If it fails midway, the error states how much was deleted.
 */
export async function remove(jail: Jail, place: Place, options: RemoveOptions): Promise<number> {
  return jail.within(place, async (entry) => {
    const stats = await lstat(entry.directory.pathOf(entry.name))
    if (stats.isDirectory()) return removeDirectory(jail, entry, options)
    await removeFile(entry.directory, entry)
    return 1
  })
}

async function removeDirectory(jail: Jail, entry: Entry, options: RemoveOptions): Promise<number> {
  const { recursive, maxDepth, signal } = options
  const directory = await jail.childOf(entry)
  const done: Done = { deleted: 0 }
  try {
    const held = await countBelow(jail, directory, entry, options)
    if (held > 0 && !recursive) {
      throw fileError(
        'not_empty',
        `${quote(entry.given)} is not empty. To delete it with everything in it, pass recursive: true.`,
      )
    }
    await about(entry.given, async () => {
      await emptyDirectory(jail, directory, entry.given, { depth: maxDepth, signal, recursive, done })
      await entry.directory.confirm()
      await rmdir(entry.directory.pathOf(entry.name))
    })
    return done.deleted + 1
  } catch (error) {
    throw done.deleted > 0 ? partly(error, entry, done) : error
  } finally {
    await directory.close()
  }
}

/** Number of deleted entries. Excludes unfinished writes, because lists don't show them. */
interface Done {
  deleted: number
}

async function countBelow(jail: Jail, directory: Directory, { given }: Entry, options: RemoveOptions): Promise<number> {
  const { recursive, maxEntries, maxDepth, signal } = options
  const onCut = () => {
    throw tooMuch(given, options)
  }
  let count = 0
  for await (const found of walk(jail, directory, given, { depth: maxDepth, recursive, signal, onCut })) {
    count += 1
    // One entry is enough to refuse the call.
    if (!recursive) break
    if (count > maxEntries) onCut()
    if (found.isUnnamable && found.stats.isDirectory()) throw unnamable(found.path)
  }
  return count
}

interface EmptyOptions extends Pick<WalkOptions, 'depth' | 'signal' | 'recursive'> {
  readonly done: Done
}

/** Deletes everything in a directory. If `recursive` is false, deletes only unfinished writes. */
async function emptyDirectory(jail: Jail, directory: Directory, path: string, options: EmptyOptions): Promise<void> {
  const { depth, signal, recursive, done } = options
  const onCut = () => {
    throw fileError('limit', `${quote(path)} grew during the call and could not be emptied.`)
  }
  for (const raw of await namesOf(directory, { signal, all: true, onCut })) {
    assertGoing(signal)
    if (!recursive && !isTemporaryName(raw.name)) continue
    const given = `${path}/${raw.name}`
    const stats = await lstat(pathOf(directory, raw))
    if (stats.isDirectory()) {
      if (depth <= 1) onCut()
      if (raw.bytes !== undefined) throw unnamable(given)
      const child = await jail.childOf({ directory, name: raw.name, given })
      try {
        await emptyDirectory(jail, child, given, { ...options, depth: depth - 1 })
      } finally {
        await child.close()
      }
      await directory.confirm()
      await rmdir(directory.pathOf(raw.name))
    } else {
      await removeFile(directory, raw)
    }
    if (!isTemporaryName(raw.name)) done.deleted += 1
  }
}

async function removeFile(directory: Directory, raw: RawName): Promise<void> {
  await directory.confirm()
  await unlink(pathOf(directory, raw))
}

/** Adds the number of deleted entries to an error, unless the error is an abort. */
function partly(error: unknown, { given }: Entry, { deleted }: Done): unknown {
  if (!isToolError(error) || error.reason === undefined) return error
  const words = `${error.message} Before that, ${deleted} ${deleted === 1 ? 'entry' : 'entries'} below ${quote(given)} had been deleted.`
  return fileError(error.reason as FileSystemReason, words, error)
}

function unnamable(given: string): Error {
  return fileError('invalid_path', `${quote(given)} is a directory whose name is not valid UTF-8, so it cannot be deleted here.`)
}

function tooMuch(given: string, { maxEntries, maxDepth }: RemoveOptions): Error {
  return fileError(
    'limit',
    `${quote(given)} contains more than ${maxEntries} entries, is more than ${maxDepth} levels deep, or cannot be read completely. Nothing was deleted.`,
  )
}
