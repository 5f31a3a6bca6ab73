import { mkdirSync, realpathSync, renameSync, rmdirSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { checkDirectory } from './checked-directory.ts'
import { makeFolder } from './test-files.ts'

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

  it('FS-06: does not confirm what was opened elsewhere under the same name', async () => {
    await expect(confirmOpened('out.txt', 'out.txt')).rejects.toMatchObject({ reason: 'path_outside_root' })
    await expect(confirmOpened('outside/out.txt', 'out.txt')).rejects.toMatchObject({ reason: 'path_outside_root' })
  })

  it('FS-06: is no longer confirmed when another directory, which is no link, has its name', async () => {
    const { base, root } = makeFolder()
    mkdirSync(join(root, 'd'))
    const directory = await (await checkDirectory(realpathSync(root))).child('d')
    await expect(directory.confirm()).resolves.toBeUndefined()
    renameSync(join(root, 'd'), join(root, 'kept'))
    renameSync(join(base, 'outside'), join(root, 'd'))
    await expect(directory.confirm()).rejects.toMatchObject({ reason: 'path_outside_root' })
    await expect(directory.make('new')).rejects.toMatchObject({ reason: 'path_outside_root' })
    rmdirSync(join(root, 'kept'))
  })
})
