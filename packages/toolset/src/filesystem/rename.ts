/** Gives a file another name. */
import { type BigIntStats, lstatSync, renameSync } from 'node:fs'
import { link, lstat, rename, unlink } from 'node:fs/promises'
import { codeOf, existsAlready, fileError } from './errors.ts'
import { identify, isSame, isUnchanged } from './identity.ts'
import type { Entry } from './jail.ts'
import { quote } from './quote.ts'
import { temporaryName } from './temporary.ts'

/** Where a file system has no hard links, or does not allow one here. */
const NO_LINK: ReadonlySet<string | undefined> = new Set(['EPERM', 'EACCES', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'])

/** Without `overwrite` it fails with `EEXIST` when there is something under the new name, also when it came this moment. */
export async function renameFile(source: Entry, target: Entry, overwrite: boolean): Promise<void> {
  const [from, to] = [source.directory.pathOf(source.name), target.directory.pathOf(target.name)]
  const isTwin = overwrite && (await areNamesOfOne(from, to))
  await source.directory.confirm()
  await target.directory.confirm()
  if (isTwin) return renameTwin(from, to, source.directory.pathOf(temporaryName()))
  if (overwrite) return rename(from, to)
  try {
    // `rename` would replace what is there; a second name does not, and the first is then taken away.
    await link(from, to)
  } catch (error) {
    if (!NO_LINK.has(codeOf(error))) throw error
    return renameIfFree(from, to, target.given)
  }
  try {
    await source.directory.confirm()
    await unlink(from)
  } catch (error) {
    await unlink(to)
    throw error
  }
}

async function areNamesOfOne(from: string, to: string): Promise<boolean> {
  // One that is missing is told by what comes next.
  const [one, other] = await Promise.all([from, to].map((path) => identify(path).catch(orMissing)))
  return one !== undefined && other !== undefined && one.nlink > 1n && isSame(one, other)
}

function orMissing(error: unknown): undefined {
  if (codeOf(error) !== 'ENOENT') throw error
}

/**
 * `rename` leaves both names when they are two of one file. By a name in between the first one goes in any case, also where
 * the two are one name in other letters, so that taking one away would take the file.
 */
async function renameTwin(from: string, to: string, between: string): Promise<void> {
  await rename(from, between)
  try {
    await rename(between, to)
  } catch (error) {
    await rename(between, from)
    throw error
  }
  await unlink(between).catch(orMissing)
}

/** Replaces the file that was seen as `basis`, or is `busy` when it was replaced or written into since. */
export async function renameIfUnchanged(source: Entry, target: Entry, basis: BigIntStats): Promise<void> {
  const [from, to] = [source.directory.pathOf(source.name), target.directory.pathOf(target.name)]
  await target.directory.confirm()
  // At one stroke: between two turns of the event loop another process would have a hundred times as long to come between.
  if (isUnchanged(basis, lstatSync(to, { bigint: true }))) return renameSync(from, to)
  throw fileError('busy', `${quote(target.given)} is being written by others; try again later.`)
}

/** For what cannot be linked. What comes in the moment between is replaced: by a file, a file; by a directory, an empty one. */
export async function renameIfFree(from: string, to: string, given: string): Promise<void> {
  const isFree = await lstat(to).then(
    () => false,
    (error) => codeOf(error) === 'ENOENT' || Promise.reject(error),
  )
  if (!isFree) throw existsAlready(quote(given))
  await rename(from, to)
}
