/** Moves and copies files within the root. */
import { assertGoing, fileError, tooDeep } from '../errors.ts'
import { assertRegular, assertSize, chunksOf, withFile } from '../jail/file.ts'
import type { Entry, Jail } from '../jail/jail.ts'
import { walk } from '../jail/walk.ts'
import type { Place } from '../path.ts'
import { quote } from '../quote.ts'
import { assertFree, putFile } from './put.ts'
import { renameFile, renameIfFree } from './rename.ts'

export interface TransferOptions {
  readonly overwrite: boolean
  readonly signal: AbortSignal
}

export interface MoveOptions extends TransferOptions {
  readonly maxDepth: number
}

/** Moves a file or a whole directory. Only a file can be replaced, and only by a file. */
export async function move(jail: Jail, from: Place, to: Place, options: MoveOptions): Promise<void> {
  const { overwrite, signal } = options
  if (isBelow(from, to)) throw fileError('invalid_path', `${quote(from.given)} cannot be moved into itself.`)
  await jail.within(from, async (source) => {
    const stats = await jail.lstat(source)
    if (!stats.isDirectory()) assertRegular(stats, from.given)
    else if (to.names.length > from.names.length) await assertFlat(jail, source, to, options)
    const give = async (target: Entry) => {
      assertGoing(signal)
      await assertFree(jail, target, { overwrite, isFile: stats.isFile() })
      if (from.path === to.path) return
      return stats.isFile() ? renameFile(source, target, overwrite) : renameDirectory(source, target)
    }
    await jail.within(to, give, true)
  })
}

/** Copies a file with at most `maxBytes`. Returns the size of the file in bytes. */
export async function copy(
  jail: Jail,
  from: Place,
  to: Place,
  { overwrite, signal, maxBytes }: TransferOptions & { readonly maxBytes: number },
): Promise<number> {
  return jail.within(from, (source) =>
    withFile(jail, source, async ({ handle, stats }) => {
      assertSize(stats.size, from.given, maxBytes)
      let size = 0
      const put = (target: Entry) =>
        putFile(jail, target, { overwrite, mode: stats.mode, signal }, async (copied) => {
          for await (const chunk of chunksOf(handle, stats.size)) {
            assertGoing(signal)
            size += chunk.length
            assertSize(size, from.given, maxBytes)
            await copied.writeFile(chunk)
          }
        })
      await jail.within(to, put, true)
      return size
    }),
  )
}

function isBelow(upper: Place, lower: Place): boolean {
  return (
    upper.names.length > 0 &&
    lower.names.length > upper.names.length &&
    upper.names.every((name, index) => name === lower.names[index])
  )
}

/** Refuses to move a directory if its entries would exceed `maxDepth` afterwards. */
async function assertFlat(jail: Jail, source: Entry, to: Place, { maxDepth, signal }: MoveOptions): Promise<void> {
  const levels = maxDepth - to.names.length
  if (levels < 0) throw tooDeep(to.given, maxDepth)
  const directory = await jail.childOf(source)
  try {
    // Skips entries that can't be inspected, because later calls can't reach them either.
    const options = { depth: levels + 1, recursive: true, signal, onCut: () => undefined }
    for await (const { path, stats } of walk(jail, directory, '.', options))
      if (stats.isDirectory() && path.split('/').length > levels) throw tooDeep(to.given, maxDepth)
  } finally {
    await directory.close()
  }
}

async function renameDirectory(source: Entry, target: Entry): Promise<void> {
  await source.directory.confirm()
  await target.directory.confirm()
  renameIfFree(source, target)
}
