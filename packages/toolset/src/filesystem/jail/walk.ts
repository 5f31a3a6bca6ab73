/** Walks a directory and its subdirectories, sorted by name. The entries of a directory come directly after it. */
import type { Stats } from 'node:fs'
import { lstat } from 'node:fs/promises'
import { assertGoing, codeOf } from '../errors.ts'
import type { Directory } from './directory.ts'
import type { Entry, Jail } from './jail.ts'
import { pathOf, type RawName, rawNamesOf } from './raw-name.ts'
import { isTemporaryName } from './temporary.ts'

export interface WalkOptions {
  /** Number of directory levels to walk. With 1, only the directory itself is walked. */
  readonly depth: number
  readonly recursive: boolean
  readonly signal: AbortSignal
  /** Whether to include unfinished writes. Default: false. */
  readonly all?: boolean | undefined
  /** Called when entries are skipped because one is too deep or unreadable, or because a directory has too many. */
  readonly onCut: () => void
}

export interface Found {
  readonly path: string
  /** Valid only until the next item is requested. */
  readonly entry: Entry
  readonly stats: Stats
  /** True if the name isn't valid UTF-8. No path leads to such an entry. */
  readonly isUnnamable: boolean
}

const MAX_NAMES = 100_000
/** Errors after which an entry, or the rest of a directory, is skipped: it was deleted, replaced by a link, or is unreadable. */
const PASSED_OVER: ReadonlySet<string | undefined> = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES', 'EPERM'])

/** Yields the entries. A link is yielded, but not followed. */
export async function* walk(jail: Jail, directory: Directory, path: string, options: WalkOptions): AsyncGenerator<Found> {
  const { depth, recursive, onCut } = options
  for (const raw of await namesOf(directory, options)) {
    assertGoing(options.signal)
    const { name } = raw
    const given = path === '.' ? name : `${path}/${name}`
    const entry = { directory, name, given }
    const stats = await passOver(lstat(pathOf(directory, raw)), onCut)
    if (stats === undefined) continue
    await directory.confirm()
    yield { path: given, entry, stats, isUnnamable: raw.bytes !== undefined }
    if (!recursive || !stats.isDirectory()) continue
    if (depth > 1 && raw.bytes === undefined) yield* walkInto(jail, entry, { ...options, depth: depth - 1 })
    else onCut()
  }
}

async function* walkInto(jail: Jail, { directory, name, given }: Entry, options: WalkOptions): AsyncGenerator<Found> {
  const child = await passOver(directory.child(name), options.onCut)
  if (child === undefined) return
  try {
    yield* walk(jail, child, given, options)
  } catch (error) {
    passOverError(error, options.onCut)
  } finally {
    await child.close()
  }
}

/** Returns the names in a directory. They are sorted, so that repeated listings are equal. */
export async function namesOf(directory: Directory, { signal, all = false, onCut }: Omit<WalkOptions, 'depth' | 'recursive'>) {
  const names: RawName[] = []
  for await (const raw of rawNamesOf(directory)) {
    assertGoing(signal)
    if (!all && isTemporaryName(raw.name)) continue
    if (names.length === MAX_NAMES) {
      onCut()
      break
    }
    names.push(raw)
  }
  await directory.confirm()
  return names.sort((one, other) => (one.name < other.name ? -1 : 1))
}

async function passOver<T>(work: Promise<T>, onCut: () => void): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    passOverError(error, onCut)
    return undefined
  }
}

function passOverError(error: unknown, onCut: () => void): void {
  if (!PASSED_OVER.has(codeOf(error))) throw error
  onCut()
}
