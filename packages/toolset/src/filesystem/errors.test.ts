import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { ToolError } from '@x/tool-core'
import { describe, expect, it } from 'vitest'
import { filesIn, makeFolder } from '../../test/filesystem/files.ts'
import { about } from './errors.ts'
import { quote } from './quote.ts'

function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: open '/home/ann/root/a'`), { code, path: '/home/ann/root/a' })
}

describe('about', () => {
  it.each([
    ['ENOENT', 'not_found'],
    ['ENOTDIR', 'not_a_directory'],
    ['EISDIR', 'not_a_regular_file'],
    ['EEXIST', 'already_exists'],
    ['ENOTEMPTY', 'not_empty'],
    ['EACCES', 'not_permitted'],
    ['EPERM', 'not_permitted'],
    ['ENOSPC', 'no_space'],
    ['EROFS', 'read_only'],
    ['EMFILE', 'busy'],
    ['EXDEV', 'failed'],
    ['EWHATEVER', 'failed'],
  ])("reports %s as %s, with only the caller's path", async (code, reason) => {
    const cause = systemError(code)
    const error = await about('a', () => Promise.reject(cause)).catch((thrown) => thrown)
    expect(error).toBeInstanceOf(ToolError)
    expect(error).toMatchObject({ code: 'execution_failed', reason, cause, retryable: reason === 'busy' })
    expect(error.message).toMatch(/^"a" /)
    expect(error.message).not.toContain('/home')
  })

  it('leaves a ToolError, and an error from a bug, unchanged', async () => {
    for (const thrown of [new ToolError('aborted', 'Stopped.'), new TypeError('a fault')]) {
      await expect(about('a', () => Promise.reject(thrown))).rejects.toBe(thrown)
    }
  })

  const refused = process.getuid?.() === 0 || process.platform === 'win32' ? ' (skipped: everything is permitted here)' : ''
  it.skipIf(refused !== '')(`reports a directory without access${refused}`, async () => {
    const { root } = makeFolder()
    mkdirSync(join(root, 'closed'))
    chmodSync(join(root, 'closed'), 0)
    await expect(filesIn(root).read('closed/a')).rejects.toMatchObject({ reason: 'not_permitted' })
    chmodSync(join(root, 'closed'), 0o700)
  })
})

describe('quote', () => {
  it.each([
    ['a"b', '"a\\"b"'],
    ['a\nb', '"a\\nb"'],
    ['a\u202eb', '"a\\u202eb"'],
    ['\ud800', '"\\ud800"'],
    ['x'.repeat(101), `"${'x'.repeat(100)}…"`],
  ])('shows %j as %s', (path, shown) => {
    expect(quote(path)).toBe(shown)
  })
})
