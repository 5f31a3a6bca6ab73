import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { filesIn, makeFolder, NO_LINKS, SECRET, WAYS } from '../../../test/filesystem/files.ts'
import { parsePath } from '../path.ts'
import { Jail } from './jail.ts'

const OUTSIDE = { name: 'ToolError', code: 'execution_failed', reason: 'path_outside_root' }

const NO_PROC = existsSync('/proc/self/fd') ? '' : ' (skipped: there is no /proc here)'

describe.each(WAYS)('Jail, $way', ({ byPath }) => {
  function prepared() {
    const folder = makeFolder()
    const before = folder.outside()
    return { ...folder, files: filesIn(folder.root, { byPath }), untouched: () => expect(folder.outside()).toEqual(before) }
  }

  it.each(['../../etc/passwd', '/etc/passwd', 'a/../../x'])(
    'refuses %j, and shows no other path in the message',
    async (path) => {
      const { files, base } = prepared()
      const error = await Promise.resolve()
        .then(() => files.read(path))
        .catch((thrown) => thrown)
      expect(error).toMatchObject(OUTSIDE)
      expect(error.message).toContain(JSON.stringify(path))
      expect(error.message).not.toContain(base)
    },
  )

  it('does not reach a sibling of the root whose name starts the same, not even through a link', async () => {
    const { files, base, root } = prepared()
    await expect(files.read('../work-evil/s.txt')).rejects.toMatchObject(OUTSIDE)
    if (NO_LINKS === '') {
      symlinkSync(join(base, 'work-evil'), join(root, 'evil'))
      await expect(files.read('evil/s.txt')).rejects.toMatchObject(OUTSIDE)
    }
  })

  describe.skipIf(NO_LINKS !== '')(`links${NO_LINKS}`, () => {
    it('nothing outside is read, listed, searched or reported through a link', async () => {
      const { files, root } = prepared()
      symlinkSync('..', join(root, 'link'))
      symlinkSync('../out.txt', join(root, 'file'))
      for (const path of ['link/out.txt', 'file', 'link/outside/out.txt']) {
        await expect(files.read(path)).rejects.toMatchObject(OUTSIDE)
      }
      for (const path of ['link', 'link/outside']) {
        await expect(files.list(path)).rejects.toMatchObject(OUTSIDE)
        await expect(files.search('secret', path)).rejects.toMatchObject(OUTSIDE)
      }
      await expect(files.stat('link/out.txt')).rejects.toMatchObject(OUTSIDE)
    })

    it('shows a link as a link in a list, a search and a status', async () => {
      const { files, root } = prepared()
      symlinkSync('..', join(root, 'link'))
      expect(await files.list('.', true)).toEqual({ path: '.', entries: [{ path: 'link', type: 'link' }], truncated: false })
      expect(await files.stat('link')).toMatchObject({ type: 'link' })
      expect(await files.search('secret')).toEqual({ matches: [], skipped: 0, truncated: false })
    })

    it('refuses a link that stays inside too, with a reason of its own', async () => {
      const { files, root } = prepared()
      mkdirSync(join(root, 'a'))
      writeFileSync(join(root, 'a/x'), 'text')
      symlinkSync('a', join(root, 'link'))
      await expect(files.read('link/x')).rejects.toMatchObject({ reason: 'symbolic_link' })
      await expect(files.write('link/new', '')).rejects.toMatchObject({ reason: 'symbolic_link' })
    })

    it('writes no new file below a linked directory', async () => {
      const { files, base, root, untouched } = prepared()
      symlinkSync(join(base, 'outside'), join(root, 'd'))
      for (const path of ['d/new.txt', 'd/deep/new.txt']) {
        await expect(files.write(path, 'x')).rejects.toMatchObject(OUTSIDE)
        await expect(files.write(path, 'x', 'append')).rejects.toMatchObject(OUTSIDE)
      }
      untouched()
    })

    it('moves, copies and deletes nothing through a linked directory', async () => {
      const { files, base, root, untouched } = prepared()
      symlinkSync(join(base, 'outside'), join(root, 'd'))
      writeFileSync(join(root, 'mine'), 'mine')
      for (const attempt of [
        () => files.move('mine', 'd/mine'),
        () => files.move('d/out.txt', 'stolen'),
        () => files.copy('mine', 'd/mine'),
        () => files.copy('d/out.txt', 'stolen'),
        () => files.remove('d/out.txt'),
      ]) {
        await expect(attempt()).rejects.toMatchObject(OUTSIDE)
      }
      untouched()
      expect(readdirSync(root)).toEqual(['d', 'mine'])
    })

    it.each(['create', 'replace', 'append'] as const)('writes nothing through a dangling link in mode %s', async (mode) => {
      const { files, base, root, untouched } = prepared()
      symlinkSync(join(base, 'created'), join(root, 'dang'))
      await expect(files.write('dang', 'x', mode)).rejects.toMatchObject(OUTSIDE)
      expect(existsSync(join(base, 'created'))).toBe(false)
      untouched()
      expect(readdirSync(root)).toEqual(['dang'])
    })

    it('moves and copies nothing onto a link, with or without overwrite', async () => {
      const { files, base, root, untouched } = prepared()
      symlinkSync(join(base, 'created'), join(root, 'dang'))
      symlinkSync(join(base, 'out.txt'), join(root, 'link'))
      writeFileSync(join(root, 'mine'), 'mine')
      for (const target of ['dang', 'link']) {
        for (const overwrite of [true, false]) {
          await expect(files.move('mine', target, overwrite)).rejects.toMatchObject(OUTSIDE)
          await expect(files.copy('mine', target, overwrite)).rejects.toMatchObject(OUTSIDE)
        }
      }
      untouched()
    })

    it('deletes a link, and not its target', async () => {
      const { files, base, root, untouched } = prepared()
      symlinkSync(join(base, 'outside'), join(root, 'd'))
      expect(await files.remove('d', true)).toBe(1)
      untouched()
      expect(readdirSync(root)).toEqual([])
    })

    it('resolves a link to the root itself once', async () => {
      const { base, root } = prepared()
      writeFileSync(join(root, 'a'), 'inside')
      symlinkSync(root, join(base, 'alias'))
      const files = filesIn(join(base, 'alias'), { byPath })
      expect(await files.read('a')).toMatchObject({ text: 'inside' })
      renameSync(join(base, 'alias'), join(base, 'old'))
      symlinkSync(join(base, 'outside'), join(base, 'alias'))
      expect(await files.read('a')).toMatchObject({ text: 'inside' })
      await expect(files.read('out.txt')).rejects.toMatchObject({ reason: 'not_found' })
    })
  })

  it('reports a root that has disappeared without its path', async () => {
    const { files, base, root } = prepared()
    renameSync(root, join(base, 'gone'))
    const error = await files.read('a').catch((thrown) => thrown)
    expect(error).toMatchObject({ reason: 'failed', message: 'The root directory cannot be opened, so no path will work.' })
  })

  it('reports a missing file, and a file in place of a directory, by name', async () => {
    const { files, root } = prepared()
    writeFileSync(join(root, 'file'), 'text')
    await expect(files.read('none')).rejects.toMatchObject({ reason: 'not_found', message: '"none" does not exist.' })
    await expect(files.read('none/x')).rejects.toMatchObject({ reason: 'not_found' })
    await expect(files.read('file/x')).rejects.toMatchObject({ reason: 'not_a_directory' })
    await expect(files.write('file/x', '')).rejects.toMatchObject({ reason: 'not_a_directory' })
    await expect(files.list('file')).rejects.toMatchObject({ reason: 'not_a_directory' })
  })

  it('treats names that only look dangerous as ordinary files inside the root', async () => {
    const { files, root, untouched } = prepared()
    for (const path of ['%2e%2e/x', '~/x', '-rf', '__proto__', 'constructor']) {
      await files.write(path, path)
      expect(readFileSync(join(root, path), 'utf8')).toBe(path)
      expect(await files.read(path)).toMatchObject({ path, text: path })
    }
    untouched()
  })

  it('never deletes, moves, copies or writes the root itself', async () => {
    const { files, root } = prepared()
    writeFileSync(join(root, 'a'), '')
    for (const path of ['.', './', 'a/..']) {
      const attempts = [
        () => files.remove(path, true),
        () => files.move(path, 'b'),
        () => files.move('a', path, true),
        () => files.write(path, 'x', 'replace'),
      ]
      for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject({ reason: 'protected' })
    }
    await expect(files.move('a', '../b')).rejects.toMatchObject(OUTSIDE)
    expect(readdirSync(root)).toEqual(['a'])
  })
})

describe('a root', () => {
  it.each(['', 'does/not/exist', import.meta.filename, undefined, 'a\0b'])('is refused at creation if it is %j', (root) => {
    expect(() => new Jail('FileSystemToolset "files"', root as string)).toThrow(
      expect.objectContaining({
        code: 'invalid_definition',
        message: expect.stringContaining('root must be an existing directory'),
      }),
    )
  })

  it.skipIf(NO_PROC !== '')(`is not kept open between calls${NO_PROC}`, async () => {
    const { base, root } = makeFolder()
    writeFileSync(join(root, 'a'), SECRET)
    const files = filesIn(root)
    await files.jail.open()
    // Counts only files in this folder, because other tests of this process have files open too.
    const open = () => openPaths().filter((path) => path.startsWith(base))
    await files.write('b/c', 'x')
    await files.list('.', true)
    await files.read('none').catch(() => undefined)
    expect(open()).toEqual([])
    await files.jail.enter(parsePath('b'), async () => expect(open()).toEqual([join(root, 'b')]))
  })
})

/** Returns the paths that this process has open. */
function openPaths(): readonly string[] {
  return readdirSync('/proc/self/fd').flatMap((descriptor) => {
    try {
      return [readlinkSync(`/proc/self/fd/${descriptor}`)]
    } catch {
      return []
    }
  })
}
