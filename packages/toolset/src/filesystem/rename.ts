/** Gives a file another name. */
import { link, lstat, rename, unlink } from 'node:fs/promises'
import { codeOf, fileError } from './errors.ts'
import type { Entry } from './jail.ts'
import { quote } from './quote.ts'

/** Where a file system has no hard links, or does not allow one here. */
const NO_LINK: ReadonlySet<string | undefined> = new Set(['EPERM', 'EACCES', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'])

/** Without `overwrite` it fails with `EEXIST` when there is something under the new name, also when it came this moment. */
export async function renameFile(source: Entry, target: Entry, overwrite: boolean): Promise<void> {
  const [from, to] = [source.directory.pathOf(source.name), target.directory.pathOf(target.name)]
  await source.directory.confirm()
  await target.directory.confirm()
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

/** For what cannot be linked. What comes in the moment between is replaced: by a file, a file; by a directory, an empty one. */
export async function renameIfFree(from: string, to: string, given: string): Promise<void> {
  const isFree = await lstat(to).then(
    () => false,
    (error) => codeOf(error) === 'ENOENT' || Promise.reject(error),
  )
  if (!isFree) throw fileError('already_exists', `${quote(given)} exists already, and this call may not replace it.`)
  await rename(from, to)
}
