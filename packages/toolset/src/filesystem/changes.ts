/** The tools of `FileSystemToolset` that change files. */
import * as Type from 'typebox'
import { method } from '../toolset/method.ts'
import { assertGoing } from './errors.ts'
import type { Jail } from './jail/jail.ts'
import { remove } from './operations/remove.ts'
import { copy, move } from './operations/transfer.ts'
import { writeText } from './operations/write.ts'
import type { FileSystemLimits } from './options.ts'
import { type Place, parsePath } from './path.ts'
import { fileLocks } from './path-locks.ts'

export type ChangeMethods = ReturnType<typeof changeMethods>

const path = Type.String({ description: 'Path relative to the root, such as "notes/today.txt"' })
const transferArgs = Type.Object({
  from: Type.String({ description: 'Current path' }),
  to: Type.String({ description: 'Full new path, not the directory to put it in. Missing directories are created' }),
  overwrite: Type.Optional(Type.Boolean({ description: 'Replace an existing file. Default: false' })),
})

export function changeMethods(jail: Jail, limits: FileSystemLimits) {
  return {
    write: method({
      description: 'Write a text file. Missing directories are created. The file is written completely or not at all.',
      effect: 'write',
      args: Type.Object({
        path,
        text: Type.String({ description: 'New content, or the text to append' }),
        mode: Type.Optional(
          Type.Enum(['create', 'replace', 'append'], {
            type: 'string',
            description:
              'create: fail if the file exists. replace: create the file or replace its content. append: add to its end, or create it. Default: create',
          }),
        ),
      }),
      execute: async ({ path, text, mode = 'create' }, { signal }) => {
        const place = parsePath(path)
        const options = { mode, maxBytes: limits.maxWriteBytes, signal }
        return inTurn(jail, [place], signal, () => writeText(jail, place, text, options))
      },
    }),

    move: method({
      description: 'Move or rename a file or a directory. A directory never replaces anything.',
      effect: 'write',
      args: transferArgs,
      execute: async ({ from, to, overwrite = false }, { signal }) => {
        const [source, target] = [parsePath(from), parsePath(to)]
        await inTurn(jail, [source, target], signal, () => move(jail, source, target, { ...limits, overwrite, signal }))
        return { from: source.path, to: target.path }
      },
    }),

    copy: method({
      description: 'Copy one file.',
      effect: 'write',
      args: transferArgs,
      execute: async ({ from, to, overwrite = false }, { signal }) => {
        const [source, target] = [parsePath(from), parsePath(to)]
        const options = { overwrite, signal, maxBytes: limits.maxCopyBytes }
        const size = await inTurn(jail, [source, target], signal, () => copy(jail, source, target, options))
        return { from: source.path, to: target.path, size }
      },
    }),

    delete: method({
      description: 'Permanently delete a file, a link or a directory. Returns the number of deleted entries.',
      effect: 'destructive',
      args: Type.Object({
        path,
        recursive: Type.Optional(
          Type.Boolean({
            description: 'Delete a directory with everything in it. Default: false, which deletes only an empty one',
          }),
        ),
      }),
      execute: async ({ path, recursive = false }, { signal }) => {
        const place = parsePath(path)
        const deleted = await inTurn(jail, [place], signal, () => remove(jail, place, { ...limits, recursive, signal }))
        return { path: place.path, deleted }
      },
    }),
  }
}

/** Runs changes to the same path one after another, within this process. */
async function inTurn<T>(jail: Jail, places: readonly Place[], signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  const paths = await Promise.all(places.map((place) => jail.locate(place)))
  return fileLocks.hold(paths, async () => {
    assertGoing(signal)
    return work()
  })
}
