import { mkdirSync, readdirSync, realpathSync, renameSync, rmdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { filesIn, makeFolder, NO_LINKS } from '../../../test/filesystem/files.ts'
import { parsePath } from '../path.ts'
import { checkDirectory } from './checked-directory.ts'
import type { Directory } from './directory.ts'
import { withFile } from './file.ts'

function bound(directory: Directory): Directory {
  const { pathOf, child, make, confirm, close } = directory
  return {
    pathOf: pathOf.bind(directory),
    child: child.bind(directory),
    make: make.bind(directory),
    confirm: confirm.bind(directory),
    close: close.bind(directory),
  }
}

async function confirmOpened(path: string, name: string) {
  const { base, root } = makeFolder()
  writeFileSync(join(root, 'out.txt'), 'inside')
  const directory = await checkDirectory(realpathSync(root))
  const handle = await open(join(base, path))
  try {
    await directory.confirm(name, handle)
  } finally {
    await handle.close()
  }
}

describe('a checked directory', () => {
  it('confirms what was opened in it', async () => {
    await expect(confirmOpened('work/out.txt', 'out.txt')).resolves.toBeUndefined()
  })

  it('does not confirm what was opened elsewhere under the same name', async () => {
    await expect(confirmOpened('out.txt', 'out.txt')).rejects.toMatchObject({ reason: 'busy' })
    await expect(confirmOpened('outside/out.txt', 'out.txt')).rejects.toMatchObject({ reason: 'busy' })
  })

  it.each([
    [3, 'text'],
    [1000, 'busy'],
  ])('returns if a file is replaced %i times while it is opened: %j', async (times, outcome) => {
    const { root } = makeFolder()
    const { jail } = filesIn(root, { byPath: true })
    writeFileSync(join(root, 'file'), 'text')
    let left = times
    const replace = () => {
      if (left-- <= 0) return
      writeFileSync(join(root, 'new'), 'text')
      renameSync(join(root, 'new'), join(root, 'file'))
    }
    const read = jail.within(parsePath('file'), ({ directory, name, given }) => {
      const confirm: Directory['confirm'] = async (...opened) => {
        replace()
        return directory.confirm(...opened)
      }
      const replacing = { ...bound(directory), confirm }
      return withFile(jail, { directory: replacing, name, given }, ({ handle }) => handle.readFile('utf8'))
    })
    expect(await read.catch(({ reason }) => reason)).toBe(outcome)
  })

  it('makes no directory in place of one that another call has just made', async () => {
    const { root } = makeFolder()
    const directory = await checkDirectory(realpathSync(root))
    await directory.make('d')
    const made = await directory.child('d')
    await expect(directory.make('d')).rejects.toMatchObject({ code: 'EEXIST' })
    await expect(made.confirm()).resolves.toBeUndefined()
    expect(readdirSync(root)).toEqual(['d'])
  })

  it('is no longer confirmed if another directory, not a link, has its name', async () => {
    const { base, root } = makeFolder()
    mkdirSync(join(root, 'd'))
    const directory = await (await checkDirectory(realpathSync(root))).child('d')
    await expect(directory.confirm()).resolves.toBeUndefined()
    renameSync(join(root, 'd'), join(root, 'kept'))
    renameSync(join(base, 'outside'), join(root, 'd'))
    const busy = { reason: 'busy', message: expect.stringContaining('The directory was replaced'), retryable: true }
    await expect(directory.confirm()).rejects.toMatchObject(busy)
    await expect(directory.make('new')).rejects.toMatchObject(busy)
    rmdirSync(join(root, 'kept'))
  })

  it.skipIf(NO_LINKS !== '')(`is no longer confirmed if a link has its name${NO_LINKS}`, async () => {
    const { base, root } = makeFolder()
    mkdirSync(join(root, 'd'))
    const directory = await (await checkDirectory(realpathSync(root))).child('d')
    rmdirSync(join(root, 'd'))
    await expect(directory.confirm()).rejects.toMatchObject({ code: 'ENOENT' })
    symlinkSync(join(base, 'outside'), join(root, 'd'))
    await expect(directory.confirm()).rejects.toMatchObject({ reason: 'path_outside_root' })
    await expect(directory.make('new')).rejects.toMatchObject({ reason: 'path_outside_root' })
  })
})
