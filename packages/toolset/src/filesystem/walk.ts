/** Goes through a directory, and the ones below it, in one order: by name, what a directory holds right after it. */
import type { Stats } from 'node:fs'
import { lstat } from 'node:fs/promises'
import type { Directory } from './directory.ts'
import { assertGoing, codeOf } from './errors.ts'
import type { Entry, Jail } from './jail.ts'
import { pathOf, type RawName, rawNamesOf } from './raw-name.ts'
import { isTemporaryName } from './temporary.ts'

export interface WalkOptions {
  /** Levels of directories that are gone through; 1 is the directory itself. Without `recursive` it is only that one. */
  readonly depth: number
  readonly recursive: boolean
  readonly signal: AbortSignal
  /** Shows unfinished writes too. */
  readonly all?: boolean | undefined
  /** Called when something is left out: too deep, too many, or not to be read. */
  readonly onCut: () => void
}

export interface Found {
  readonly path: string
  /** Usable until the next one is asked for. */
  readonly entry: Entry
  readonly stats: Stats
  /** The name is not valid UTF-8: no path leads to the entry. */
  readonly isUnnamable: boolean
}

const MAX_NAMES = 100_000
/** What is gone by now, was swapped for a link, or may not be read. */
const PASSED_OVER: ReadonlySet<string | undefined> = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES', 'EPERM'])

/** Links are shown and never followed. */
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
  } finally {
    await child.close()
  }
}

/** Sorted, so that two lists of one directory are equal. */
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
    if (!PASSED_OVER.has(codeOf(error))) throw error
    onCut()
    return undefined
  }
}
