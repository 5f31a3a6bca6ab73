import { execFileSync } from 'node:child_process'
import { closeSync, ftruncateSync, openSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { filesIn, makeFolder, NO_DEVICES, NO_LINKS, NO_PIPES, WAYS } from '../../../test/filesystem/files.ts'

describe.each(WAYS)('unreadable files, $way', ({ byPath }) => {
  function prepared() {
    const { root } = makeFolder()
    return { root, files: filesIn(root, { byPath }) }
  }

  async function expectRefused(files: ReturnType<typeof filesIn>, path: string, reason: string) {
    await expect(files.read(path)).rejects.toMatchObject({ reason })
    await expect(files.copy(path, 'copied')).rejects.toMatchObject({ reason })
    await expect(files.write(path, 'x', 'replace')).rejects.toMatchObject({ reason })
    await expect(files.write(path, 'x', 'append')).rejects.toMatchObject({ reason })
  }

  it.skipIf(NO_PIPES !== '')(`refuses a pipe without waiting${NO_PIPES}`, async () => {
    const { root, files } = prepared()
    execFileSync('mkfifo', [join(root, 'pipe')])
    await expectRefused(files, 'pipe', 'not_a_regular_file')
    expect(await files.search('x')).toEqual({ matches: [], skipped: 0, truncated: false })
    expect(await files.list()).toMatchObject({ entries: [{ path: 'pipe', type: 'other' }] })
  })

  it.skipIf(NO_PIPES !== '')(`does not block if a file becomes a pipe while it is read${NO_PIPES}`, async () => {
    const { root, files } = prepared()
    writeFileSync(join(root, 'file'), 'text')
    execFileSync('mkfifo', [join(root, 'pipe')])
    const swap = () => {
      renameSync(join(root, 'file'), join(root, 'kept'))
      renameSync(join(root, 'pipe'), join(root, 'file'))
    }
    const restore = () => {
      renameSync(join(root, 'file'), join(root, 'pipe'))
      renameSync(join(root, 'kept'), join(root, 'file'))
    }
    for (let attempt = 0; attempt < 100; attempt++) {
      const reading = files.read('file').then(
        ({ text }) => text,
        ({ reason }) => reason,
      )
      for (let turn = 0; turn < attempt % 10; turn++) await new Promise((resolve) => setImmediate(resolve))
      swap()
      expect(['text', 'not_a_regular_file', 'not_found', 'path_outside_root']).toContain(await reading)
      restore()
    }
  })

  it.skipIf(NO_DEVICES !== '')(`refuses a device${NO_DEVICES}`, async () => {
    const { root, files } = prepared()
    execFileSync('mknod', [join(root, 'zero'), 'c', '1', '5'])
    await expectRefused(files, 'zero', 'not_a_regular_file')
  })

  it.skipIf(NO_LINKS !== '')(`refuses a link to a device as a link, without opening it${NO_LINKS}`, async () => {
    const { root, files } = prepared()
    symlinkSync('/dev/zero', join(root, 'zero'))
    await expectRefused(files, 'zero', 'path_outside_root')
  })

  it.skipIf(process.platform === 'win32')('refuses a socket (skipped on Windows, where sockets are not files)', async () => {
    const { root, files } = prepared()
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(join(root, 'socket'), resolve))
    try {
      await expectRefused(files, 'socket', 'not_a_regular_file')
    } finally {
      await new Promise((resolve) => server.close(resolve))
    }
  })

  it('refuses a directory in place of a file', async () => {
    const { files } = prepared()
    await files.write('d/x', '')
    await expectRefused(files, 'd', 'not_a_regular_file')
    await expect(files.read('.')).rejects.toMatchObject({ reason: 'not_a_regular_file' })
  })

  it('does not read a file of 50 MB, and names the limit', async () => {
    const { root, files } = prepared()
    const descriptor = openSync(join(root, 'large'), 'w')
    ftruncateSync(descriptor, 50_000_000)
    closeSync(descriptor)
    await expect(files.read('large')).rejects.toMatchObject({
      reason: 'too_large',
      message: '"large" is too large: it has at least 50000000 bytes, and the limit is 1048576 bytes.',
    })
    await expect(files.write('large', 'x', 'append')).rejects.toMatchObject({ reason: 'too_large' })
    expect(await files.search('x')).toEqual({ matches: [], skipped: 1, truncated: false })
  })

  it.each([
    ['NUL', Buffer.from('a\0b')],
    ['invalid UTF-8', Buffer.from([0x61, 0xff, 0x62])],
    ['half a character', Buffer.from([0x61, 0xe2, 0x82])],
  ])('reports a file with %s as binary', async (_, bytes) => {
    const { root, files } = prepared()
    writeFileSync(join(root, 'file'), bytes)
    await expect(files.read('file')).rejects.toMatchObject({ reason: 'binary' })
    expect(await files.search('a')).toEqual({ matches: [], skipped: 1, truncated: false })
    await files.copy('file', 'copied')
    expect(await files.stat('copied')).toMatchObject({ size: bytes.length })
  })
})
