import {
  appendFileSync,
  chmodSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { filesIn, makeFolder, signalThat, WAYS } from '../../../test/filesystem/files.ts'
import { parsePath } from '../path.ts'
import { putFile } from './put.ts'

const running = new AbortController().signal

const UNIX_ONLY = process.platform === 'win32' ? ' (skipped on Windows: it has no such permissions)' : ''

describe.each(WAYS)('writing, $way', ({ byPath }) => {
  function prepared(signal?: AbortSignal) {
    const { base, root } = makeFolder()
    return {
      base,
      root,
      files: filesIn(root, { byPath, ...(signal && { signal }) }),
      content: (path: string) => readFileSync(join(root, path), 'utf8'),
    }
  }

  it('creates a file with its missing directories', async () => {
    const { files, content } = prepared()
    expect(await files.write('a/b/c.txt', 'é\n')).toEqual({ path: 'a/b/c.txt', size: 3, created: true })
    expect(content('a/b/c.txt')).toBe('é\n')
  })

  it('creates directories down to the depth that one deletion reaches, and no directory for a deeper path', async () => {
    const { root, files } = prepared()
    const deep = (levels: number) => `${'d/'.repeat(levels)}f`
    await files.write(deep(32), 'x')
    expect(await files.remove('d', true)).toBe(33)
    for (const mode of ['create', 'replace', 'append'] as const) {
      await expect(files.write(deep(33), 'x', mode)).rejects.toMatchObject({
        reason: 'limit',
        message: `"${deep(33)}" would have directories more than 32 levels below the root. Nothing was done.`,
      })
      await expect(files.write(deep(1500), 'x', mode)).rejects.toMatchObject({ reason: 'limit' })
    }
    expect(readdirSync(root)).toEqual([])
  })

  it('writes several files at once into directories that do not exist yet', async () => {
    const { root, files } = prepared()
    const paths = Array.from({ length: 50 }, (_, index) => `a/b/${index}.txt`)
    await Promise.all(paths.map((path) => files.write(path, 'x')))
    expect(readdirSync(join(root, 'a/b'))).toHaveLength(paths.length)
    expect(readdirSync(root)).toEqual(['a'])
  })

  it('writes into existing directories, however deep they are', async () => {
    const { root, files, content } = prepared()
    mkdirSync(join(root, 'd/'.repeat(40)), { recursive: true })
    await files.write(`${'d/'.repeat(40)}f`, 'x')
    expect(content(`${'d/'.repeat(40)}f`)).toBe('x')
    await expect(files.write(`${'d/'.repeat(40)}e/f`, 'x')).rejects.toMatchObject({ reason: 'limit' })
  })

  it('refuses to create a file that exists, and leaves only that file', async () => {
    const { root, files, content } = prepared()
    await files.write('a', 'old')
    await expect(files.write('a', 'new')).rejects.toMatchObject({
      reason: 'already_exists',
      message: '"a" already exists. To replace a file, use mode "replace" or overwrite: true.',
    })
    expect(content('a')).toBe('old')
    expect(readdirSync(root)).toEqual(['a'])
  })

  it('replaces a file, or creates it', async () => {
    const { files, content } = prepared()
    expect(await files.write('a', 'old', 'replace')).toMatchObject({ created: true })
    expect(await files.write('a', 'new', 'replace')).toEqual({ path: 'a', size: 3, created: false })
    expect(content('a')).toBe('new')
  })

  it('appends to a file, or creates it', async () => {
    const { files, content } = prepared()
    expect(await files.write('a', 'one', 'append')).toMatchObject({ created: true })
    expect(await files.write('a', 'two', 'append')).toEqual({ path: 'a', size: 6, created: false })
    expect(content('a')).toBe('onetwo')
  })

  it('refuses a text that is too large, and an append whose result would be too large', async () => {
    const { root, files, content } = prepared()
    const mebibyte = 'x'.repeat(1024 * 1024)
    await expect(files.write('a', `${mebibyte}y`)).rejects.toMatchObject({ reason: 'too_large' })
    await files.write('a', mebibyte)
    await expect(files.write('a', 'y', 'append')).rejects.toMatchObject({ reason: 'too_large' })
    expect(content('a')).toHaveLength(mebibyte.length)
    expect(readdirSync(root)).toEqual(['a'])
  })

  it.each(['a\0b', 'a\ud800b'])('refuses %j, which would be different when read back', async (text) => {
    const { root, files } = prepared()
    await expect(files.write('a', text)).rejects.toMatchObject({ reason: 'binary' })
    expect(readdirSync(root)).toEqual([])
  })

  it('lets one of two concurrent creates succeed, with its complete text', async () => {
    const { root, files, content } = prepared()
    const outcomes = await Promise.allSettled(['one', 'two', 'three'].map((text) => files.write('a', text)))
    const won = outcomes.filter(({ status }) => status === 'fulfilled')
    expect(won).toHaveLength(1)
    expect(['one', 'two', 'three']).toContain(content('a'))
    expect(readdirSync(root)).toEqual(['a'])
  })

  it('lets one of two concurrent replacements remain, and a reader sees nothing else', async () => {
    const { files, content } = prepared()
    const texts = ['a', 'b', 'c'].map((letter) => letter.repeat(200_000))
    await files.write('file', texts[0] as string)
    for (let round = 0; round < 10; round++) {
      const writes = texts.map((text) => files.write('file', text, 'replace'))
      const reads = ['file', './file'].map((path) => files.read(path))
      await Promise.all([...writes, ...reads])
      for (const { text } of await Promise.all(reads)) expect(texts).toContain(text)
      expect(texts).toContain(content('file'))
    }
  })

  it.skipIf(UNIX_ONLY !== '')(`keeps the permissions of the file that is replaced${UNIX_ONLY}`, async () => {
    const { root, files } = prepared()
    writeFileSync(join(root, 'script'), 'old')
    chmodSync(join(root, 'script'), 0o4750)
    await files.write('script', 'new', 'replace')
    expect(statSync(join(root, 'script')).mode & 0o7777).toBe(0o750)
  })

  it.skipIf(UNIX_ONLY !== '')(`keeps a private file private while it is being written${UNIX_ONLY}`, async () => {
    const { root, files } = prepared()
    writeFileSync(join(root, 'key'), 'old', { mode: 0o600 })
    const modes: number[] = []
    const put = (name: string, mode?: number) =>
      files.jail.within(parsePath(name), (target) =>
        putFile(files.jail, target, { overwrite: true, mode, signal: running }, async (handle) => {
          modes.push((await handle.stat()).mode & 0o777)
        }),
      )
    await put('key')
    await put('copied', 0o640)
    expect(modes).toEqual([0o600, 0o640])
  })

  it('starts an append again if another writer has appended meanwhile', async () => {
    const others = ['two\n', 'three\n']
    const { root, files, content } = prepared(signalThat(() => appendFileSync(join(root, 'log'), others.shift() ?? '')))
    writeFileSync(join(root, 'log'), 'one\n')
    expect(await files.write('log', 'four\n', 'append')).toEqual({ path: 'log', size: 19, created: false })
    expect(content('log')).toBe('one\ntwo\nthree\nfour\n')
  })

  it('starts an append again if another writer has created the file meanwhile', async () => {
    const others = ['one\n']
    const { root, files, content } = prepared(
      signalThat(() => others.splice(0).map((text) => writeFileSync(join(root, 'log'), text))),
    )
    expect(await files.write('log', 'two\n', 'append')).toEqual({ path: 'log', size: 8, created: false })
    expect(content('log')).toBe('one\ntwo\n')
  })

  it('gives up an append, and leaves the file, if others keep writing it', async () => {
    const { base, root, files, content } = prepared(
      signalThat(() => {
        writeFileSync(join(base, 'new'), 'one\n')
        renameSync(join(base, 'new'), join(root, 'log'))
      }),
    )
    writeFileSync(join(root, 'log'), '')
    await expect(files.write('log', 'two\n', 'append')).rejects.toMatchObject({ reason: 'busy', retryable: true })
    expect(content('log')).toBe('one\n')
    expect(readdirSync(root)).toEqual(['log'])
  })

  it.each(['replace', 'append'] as const)('does not write through a hard link to a file outside with mode %s', async (mode) => {
    const { base, root, files, content } = prepared()
    linkSync(join(base, 'out.txt'), join(root, 'linked'))
    const before = readFileSync(join(base, 'out.txt'), 'utf8')
    await files.write('linked', '!', mode)
    expect(readFileSync(join(base, 'out.txt'), 'utf8')).toBe(before)
    expect(content('linked')).toBe(mode === 'append' ? `${before}!` : '!')
  })

  it('does not write after an abort', async () => {
    const { root, files } = prepared(AbortSignal.abort())
    await expect(files.write('a', 'x')).rejects.toMatchObject({ code: 'aborted' })
    expect(readdirSync(root)).toEqual([])
  })
})
