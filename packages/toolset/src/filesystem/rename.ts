/** Gives a file another name. No version of it that another process saves meanwhile is lost. */
import { type BigIntStats, lstatSync, renameSync, unlinkSync } from 'node:fs'
import { link, rename, unlink } from 'node:fs/promises'
import { codeOf, existsAlready, fileError } from './errors.ts'
import { identify, isSame, isUnchanged } from './identity.ts'
import type { Entry } from './jail.ts'
import { quote } from './quote.ts'
import { putBack, takeName } from './take-name.ts'
import { temporaryName } from './temporary.ts'

/** Where a file system has no hard links, or does not allow one here. */
const NO_LINK: ReadonlySet<string | undefined> = new Set(['EPERM', 'EACCES', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'])

/** Without `overwrite` it fails with `EEXIST` when there is something under the new name, also when it came this moment. */
export async function renameFile(source: Entry, target: Entry, overwrite: boolean): Promise<void> {
  const [from, to] = [pathOf(source), pathOf(target)]
  const isTwin = overwrite && (await areNamesOfOne(from, to))
  await source.directory.confirm()
  await target.directory.confirm()
  if (isTwin) return renameTwin(from, to, source.directory.pathOf(temporaryName()))
  if (overwrite) return rename(from, to)
  const held = target.directory.pathOf(temporaryName())
  try {
    // `rename` would replace what is there; a second name doesn't. The first one goes only from the file that this name holds.
    await link(from, held)
  } catch (error) {
    if (!NO_LINK.has(codeOf(error))) throw error
    return renameIfFree(from, to, target.given)
  }
  try {
    await source.directory.confirm()
    await link(held, to)
    await takeSourceName(source, target, held)
  } finally {
    await unlink(held).catch(() => undefined)
  }
}

/** A version that another process has saved meanwhile keeps the first name: it came after the move. */
async function takeSourceName(source: Entry, target: Entry, held: string): Promise<void> {
  try {
    await source.directory.confirm()
    takeName(source, held)
  } catch (error) {
    // The first error is the one to tell.
    tryToTake(target, held)
    throw error
  }
}

function tryToTake(entry: Entry, held: string): void {
  try {
    takeName(entry, held)
  } catch {
    // It is gone by now, or can't be taken: then the file has both names.
  }
}

/** Gives a finished temporary file its name; no other process knows the temporary one. */
export async function nameFile(temporary: Entry, target: Entry, overwrite: boolean): Promise<void> {
  const [from, to] = [pathOf(temporary), pathOf(target)]
  await target.directory.confirm()
  if (overwrite) return rename(from, to)
  try {
    await link(from, to)
  } catch (error) {
    if (!NO_LINK.has(codeOf(error))) throw error
    return renameIfFree(from, to, target.given)
  }
  // One that stays is shown by no list.
  await unlink(from).catch(() => undefined)
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
function renameTwin(from: string, to: string, between: string): void {
  renameSync(from, between)
  try {
    renameSync(between, to)
  } catch (error) {
    putBack(between, from)
    throw error
  }
  try {
    unlinkSync(between)
  } catch (error) {
    orMissing(error)
  }
}

/** Replaces the file that was seen as `basis`, or is `busy` when it was replaced or written into since. */
export async function renameIfUnchanged(source: Entry, target: Entry, basis: BigIntStats): Promise<void> {
  const [from, to] = [pathOf(source), pathOf(target)]
  await target.directory.confirm()
  // At one stroke: between two turns of the event loop another process would have a hundred times as long to come between.
  if (isUnchanged(basis, lstatSync(to, { bigint: true }))) return renameSync(from, to)
  throw fileError('busy', `${quote(target.given)} is being written by others; try again later.`)
}

/**
 * For what cannot be linked, at one stroke. What comes in the microseconds between is replaced: by a file, a file; by a directory, an
 * empty one.
 */
export function renameIfFree(from: string, to: string, given: string): void {
  if (lstatSync(to, { throwIfNoEntry: false }) !== undefined) throw existsAlready(quote(given))
  renameSync(from, to)
}

function pathOf({ directory, name }: Entry): string {
  return directory.pathOf(name)
}
