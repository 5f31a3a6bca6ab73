import { expect, it } from 'vitest'
import { createRestateEngine } from './create-engine.ts'

it.each([
  [{ name: '' }, 'name'],
  [{ name: 'a/b' }, 'name'],
  [{ name: 'a', fn: 1 }, 'fn'],
  [{ name: 'a', port: 0 }, 'port'],
  [{ name: 'a', uri: 'localhost:1' }, 'uri'],
  [{ name: 'a', adminUrl: 'ftp://a' }, 'adminUrl'],
  [{ name: 'a', retentionMs: Number.NaN }, 'retentionMs'],
])('createRestateEngine refuses the options %j', async (options, name) => {
  await expect(createRestateEngine(options as never)).rejects.toMatchObject({
    code: 'invalid_options',
    message: expect.stringMatching(new RegExp(`^${name} of`)),
  })
})
