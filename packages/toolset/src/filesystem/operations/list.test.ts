import { mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { filesIn, makeFolder, NO_LINKS, NO_RAW_NAMES, signalThat, WAYS } from '../../../test/filesystem/files.ts'
import type { FileEntry } from '../entry.ts'
import { parsePath } from '../path.ts'
import { listEntries } from './list.ts'

const signal = new AbortController().signal
const WIDE = { recursive: true, maxEntries: 1000, maxDepth: 32, signal }

describe.each(WAYS)('a list, $way', ({ byPath }) => {
  async function filled() {
    const { root } = makeFolder()
    const files = filesIn(root, { byPath })
    for (const path of ['b.txt', 'a/z.txt', 'a/deep/x.txt', 'a-b', 'Z']) await files.write(path, path)
    const list = (path: string, limits: object = {}) => listEntries(files.jail, parsePath(path), { ...WIDE, ...limits })
    return { root, files, list }
  }

  it('lists one directory by name, with the sizes of files', async () => {
    const { files } = await filled()
    expect(await files.list()).toEqual({
      path: '.',
      entries: [
        { path: 'Z', type: 'file', size: 1 },
        { path: 'a', type: 'directory' },
        { path: 'a-b', type: 'file', size: 3 },
        { path: 'b.txt', type: 'file', size: 5 },
      ],
      truncated: false,
    })
  })

  it('lists the content of a directory right after it, with full paths', async () => {
    const { files } = await filled()
    const { entries } = await files.list('a/../a', true)
    expect(entries.map(({ path }: FileEntry) => path)).toEqual(['a/deep', 'a/deep/x.txt', 'a/z.txt'])
  })

  it('reports that there are more entries', async () => {
    const { list } = await filled()
    expect(await list('.', { maxEntries: 2 })).toMatchObject({ entries: [{ path: 'Z' }, { path: 'a' }], truncated: true })
    expect(await list('.', { maxEntries: 7 })).toMatchObject({ truncated: false })
  })

  it('stops at the maximum depth, and reports it', async () => {
    const { list } = await filled()
    const { entries, truncated } = await list('a', { maxDepth: 1 })
    expect(entries.map(({ path }: FileEntry) => path)).toEqual(['a/deep', 'a/z.txt'])
    expect(truncated).toBe(true)
  })

  it.skipIf(NO_LINKS !== '')(`terminates in a loop of links${NO_LINKS}`, async () => {
    const { root, files } = await filled()
    symlinkSync('..', join(root, 'a/up'))
    symlinkSync('self', join(root, 'self'))
    symlinkSync(root, join(root, 'a/deep/root'))
    const { entries, truncated } = await files.list('.', true)
    expect(truncated).toBe(false)
    expect(entries.filter(({ type }: FileEntry) => type === 'link')).toEqual([
      { path: 'a/deep/root', type: 'link' },
      { path: 'a/up', type: 'link' },
      { path: 'self', type: 'link' },
    ])
    expect(entries).toHaveLength(10)
  })

  it.skipIf(NO_RAW_NAMES !== '')(
    `shows a name that is not valid UTF-8 with U+FFFD, and is not truncated by it${NO_RAW_NAMES}`,
    async () => {
      const { root, files } = await filled()
      writeFileSync(Buffer.concat([Buffer.from(join(root, 'a/b')), Buffer.of(0xff)]), 'raw')
      const { entries, truncated } = await files.list('a', true)
      expect(entries[0]).toEqual({ path: 'a/b\ufffd', type: 'file', size: 3 })
      expect(truncated).toBe(false)
      expect(await files.search('raw', 'a')).toMatchObject({ matches: [], skipped: 1, truncated: false })
    },
  )

  it('stops when the caller aborts', async () => {
    const { list } = await filled()
    await expect(list('.', { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'aborted' })
  })

  it('leaves out the rest of a directory that is deleted meanwhile, and reports it', async () => {
    const { root, files } = await filled()
    const doomed = join(root, 'a')
    // The signal is read for each of the four names, for the first two entries, and then for each name in the directory `a`.
    let reads = 0
    const signal = signalThat(() => ++reads === 7 && rmSync(doomed, { recursive: true }))
    const { entries, truncated } = await listEntries(files.jail, parsePath('.'), { ...WIDE, signal })
    expect(entries.map(({ path }: FileEntry) => path)).toEqual(['Z', 'a', 'a-b', 'b.txt'])
    expect(truncated).toBe(true)
  })

  it('is empty for an empty directory, and an error for a missing one', async () => {
    const { root, files } = await filled()
    mkdirSync(join(root, 'empty'))
    expect(await files.list('empty')).toEqual({ path: 'empty', entries: [], truncated: false })
    await expect(files.list('none')).rejects.toMatchObject({ reason: 'not_found' })
  })

  it('returns the type, the size and the last change of a single entry', async () => {
    const { root, files } = await filled()
    writeFileSync(join(root, 'dated'), 'four')
    utimesSync(join(root, 'dated'), 0, 86_400)
    expect(await files.stat('dated')).toEqual({ path: 'dated', type: 'file', size: 4, modified: '1970-01-02T00:00:00.000Z' })
    expect(await files.stat('a')).toMatchObject({ path: 'a', type: 'directory' })
    expect(await files.stat('.')).toMatchObject({ path: '.', type: 'directory' })
    await expect(files.stat('none')).rejects.toMatchObject({ reason: 'not_found' })
  })
})
