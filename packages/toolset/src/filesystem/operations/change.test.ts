import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { filesIn, makeFolder, NO_LINKS, NO_RAW_NAMES, signalThat, WAYS } from '../../../test/filesystem/files.ts'
import { parsePath } from '../path.ts'
import { remove } from './remove.ts'

describe.each(WAYS)('changes, $way', ({ byPath }) => {
  async function filled() {
    const { root, outside } = makeFolder()
    const files = filesIn(root, { byPath })
    await files.write('a', 'text of a')
    await files.write('b', 'text of b')
    await files.write('d/x', 'text of x')
    await files.write('d/e/y', 'text of y')
    return { root, outside, files, content: (path: string) => readFileSync(join(root, path), 'utf8') }
  }

  describe('move', () => {
    it('renames a file into directories that it creates', async () => {
      const { root, files, content } = await filled()
      await files.move('a', 'new/dir/a2')
      expect(content('new/dir/a2')).toBe('text of a')
      expect(readdirSync(root)).toEqual(['b', 'd', 'new'])
    })

    it('replaces a file only with overwrite', async () => {
      const { root, files, content } = await filled()
      await expect(files.move('a', 'b')).rejects.toMatchObject({
        reason: 'already_exists',
        message: expect.stringContaining('"b"'),
      })
      expect([content('a'), content('b')]).toEqual(['text of a', 'text of b'])
      await files.move('a', 'b', true)
      expect(content('b')).toBe('text of a')
      expect(readdirSync(root)).toEqual(['b', 'd'])
    })

    it('removes one of two names of a file if it is moved onto the other, and keeps a file that is moved onto itself', async () => {
      const { root, files, content } = await filled()
      linkSync(join(root, 'a'), join(root, 'second'))
      await files.move('a', 'second', true)
      expect(readdirSync(root)).toEqual(['b', 'd', 'second'])
      linkSync(join(root, 'second'), join(root, 'third'))
      await files.move('second', './second', true)
      expect(readdirSync(root)).toEqual(['b', 'd', 'second', 'third'])
      expect(content('second')).toBe('text of a')
    })

    it('moves a whole directory, but never onto another entry', async () => {
      const { root, files, content } = await filled()
      await files.move('d', 'n/d2')
      expect(content('n/d2/e/y')).toBe('text of y')
      mkdirSync(join(root, 'empty'))
      // The advice to use overwrite would never help here.
      for (const target of ['a', 'empty'])
        for (const overwrite of [false, true])
          await expect(files.move('n/d2', target, overwrite)).rejects.toMatchObject({
            reason: 'already_exists',
            message: `"${target}" already exists. Only a file can be replaced, and only by a file. Use another path.`,
          })
      await expect(files.move('a', 'empty')).rejects.toMatchObject({ message: expect.stringContaining('Use another path') })
      await expect(files.move('a', 'empty', true)).rejects.toMatchObject({ reason: 'not_a_regular_file' })
      expect(content('a')).toBe('text of a')
    })

    it('refuses to move a directory into itself', async () => {
      const { files } = await filled()
      await expect(files.move('d', 'd/e/d')).rejects.toMatchObject({ reason: 'invalid_path' })
    })

    it('creates and moves no directories that are too deep for one deletion', async () => {
      const { root, files } = await filled()
      const deep = (levels: number) => 'n/'.repeat(levels)
      await expect(files.move('a', `${deep(33)}a`)).rejects.toMatchObject({ reason: 'limit' })
      await expect(files.copy('a', `${deep(33)}a`)).rejects.toMatchObject({ reason: 'limit' })
      // "d" has two levels: itself and the directory in it.
      await expect(files.move('d', `${deep(31)}d`)).rejects.toMatchObject({ reason: 'limit' })
      expect(readdirSync(root)).toEqual(['a', 'b', 'd'])
      await files.move('d', `${deep(30)}d`)
      await files.move('a', `${deep(30)}d/e/a`)
      expect(await files.remove('n', true)).toBe(35)
    })

    it('moves a deep directory that another program created to a place at the same depth', async () => {
      const { root, files } = await filled()
      mkdirSync(join(root, 'd', 'y/'.repeat(40)), { recursive: true })
      await files.move('d/e', 'e')
      await files.move('d', 'other')
      await expect(files.move('other', 'e/other')).rejects.toMatchObject({ reason: 'limit' })
      expect(readdirSync(root)).toEqual(['a', 'b', 'e', 'other'])
    })

    it('refuses a source or a target outside', async () => {
      const { files, outside } = await filled()
      const before = outside()
      await expect(files.move('a', '../b')).rejects.toMatchObject({ reason: 'path_outside_root' })
      await expect(files.move('../out.txt', 'b', true)).rejects.toMatchObject({ reason: 'path_outside_root' })
      await expect(files.copy('a', '/tmp/b')).rejects.toMatchObject({ reason: 'path_outside_root' })
      await expect(files.copy('../out.txt', 'b', true)).rejects.toMatchObject({ reason: 'path_outside_root' })
      expect(outside()).toEqual(before)
    })

    it('names a missing file', async () => {
      const { files } = await filled()
      await expect(files.move('none', 'c')).rejects.toMatchObject({ reason: 'not_found', message: '"none" does not exist.' })
    })
  })

  describe('copy', () => {
    it('copies a file with its permissions, and returns its size', async () => {
      const { root, files, content } = await filled()
      expect(await files.copy('a', 'new/a')).toBe(9)
      expect([content('a'), content('new/a')]).toEqual(['text of a', 'text of a'])
      expect(statSync(join(root, 'new/a')).mode).toBe(statSync(join(root, 'a')).mode)
    })

    it('replaces a file only with overwrite', async () => {
      const { files, content } = await filled()
      await expect(files.copy('a', 'b')).rejects.toMatchObject({ reason: 'already_exists' })
      expect(content('b')).toBe('text of b')
      await files.copy('a', 'b', true)
      expect(content('b')).toBe('text of a')
    })

    it('leaves a file copied onto itself unchanged', async () => {
      const { files, content } = await filled()
      await files.copy('a', 'a', true)
      expect(content('a')).toBe('text of a')
    })

    it('refuses to copy a directory', async () => {
      const { files } = await filled()
      await expect(files.copy('d', 'd2')).rejects.toMatchObject({ reason: 'not_a_regular_file' })
    })

    it('copies files of several chunks completely', async () => {
      const { root, files } = await filled()
      const bytes = Buffer.alloc(3_000_001, Buffer.from(Array.from({ length: 251 }, (_, index) => index)))
      writeFileSync(join(root, 'large'), bytes)
      await files.copy('large', 'large2')
      expect(readFileSync(join(root, 'large2')).equals(bytes)).toBe(true)
    })
  })

  describe('delete', () => {
    it('deletes a file, or an empty directory', async () => {
      const { root, files } = await filled()
      mkdirSync(join(root, 'empty'))
      expect(await files.remove('a')).toBe(1)
      expect(await files.remove('empty')).toBe(1)
      expect(readdirSync(root)).toEqual(['b', 'd'])
      await expect(files.remove('a')).rejects.toMatchObject({ reason: 'not_found' })
    })

    it('deletes a directory with content only with recursive, and counts it', async () => {
      const { root, files } = await filled()
      await expect(files.remove('d')).rejects.toMatchObject({ reason: 'not_empty' })
      expect(await files.remove('d', true)).toBe(4)
      expect(readdirSync(root)).toEqual(['a', 'b'])
    })

    it('reports a directory as not empty even if it exceeds a limit', async () => {
      const { files } = await filled()
      const options = { recursive: false, maxEntries: 1, maxDepth: 1, signal: new AbortController().signal }
      await expect(remove(files.jail, parsePath('d'), options)).rejects.toMatchObject({ reason: 'not_empty' })
    })

    it.each([{ maxEntries: 2 }, { maxDepth: 1 }])('deletes nothing if the call would exceed %j', async (limit) => {
      const { root, files } = await filled()
      const options = { recursive: true, maxEntries: 100, maxDepth: 32, signal: new AbortController().signal, ...limit }
      await expect(remove(files.jail, parsePath('d'), options)).rejects.toMatchObject({ reason: 'limit' })
      expect(readdirSync(join(root, 'd'), { recursive: true })).toHaveLength(3)
    })

    it.skipIf(NO_RAW_NAMES !== '')(
      `deletes entries with names that are not valid UTF-8, but no such directory${NO_RAW_NAMES}`,
      async () => {
        const { root, files } = await filled()
        const raw = Buffer.concat([Buffer.from(join(root, 'd/raw')), Buffer.of(0xff)])
        mkdirSync(raw)
        await expect(files.remove('d', true)).rejects.toMatchObject({
          reason: 'invalid_path',
          message: '"d/raw\ufffd" is a directory whose name is not valid UTF-8, so it cannot be deleted here.',
        })
        expect(readdirSync(join(root, 'd'), { recursive: true })).toHaveLength(4)
        rmdirSync(raw)
        writeFileSync(raw, '')
        expect(await files.remove('d', true)).toBe(5)
      },
    )

    it('reports how much was deleted if it fails midway', async () => {
      const { root, files } = await filled()
      const signal = signalThat(() => existsSync(join(root, 'd/e')) || writeFileSync(join(root, 'd/new'), ''))
      const options = { recursive: true, maxEntries: 100, maxDepth: 32, signal }
      await expect(remove(files.jail, parsePath('d'), options)).rejects.toMatchObject({
        reason: 'not_empty',
        message: '"d" is not empty. Before that, 3 entries below "d" had been deleted.',
      })
      expect(readdirSync(join(root, 'd'))).toEqual(['new'])
    })

    it.skipIf(NO_LINKS !== '')(`deletes links in a directory, but not their targets${NO_LINKS}`, async () => {
      const { root, outside, files } = await filled()
      const before = outside()
      symlinkSync('../../outside', join(root, 'd/link'))
      symlinkSync('../../out.txt', join(root, 'd/e/link'))
      symlinkSync('..', join(root, 'd/e/up'))
      expect(await files.remove('d', true)).toBe(7)
      expect(outside()).toEqual(before)
      expect(readdirSync(root)).toEqual(['a', 'b'])
    })
  })
})
