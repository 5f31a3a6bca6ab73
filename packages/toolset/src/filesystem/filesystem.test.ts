import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { toSpec } from '@x/tool-core'
import { describe, expect, it } from 'vitest'
import { makeFolder } from '../../test/filesystem/files.ts'
import { asLooseClass, type Loose } from '../../test/loose.ts'
import { call } from '../../test/tools.ts'
import { FileSystemToolset as TypedToolset } from '../filesystem.ts'

const FileSystemToolset = asLooseClass(TypedToolset)

describe('FileSystemToolset', () => {
  it('lists its tools in order, each with its effect', () => {
    const { root } = makeFolder()
    expect(new FileSystemToolset({ root }).tools().map(({ name, effect }) => [name, effect])).toEqual([
      ['filesystem_read', 'read'],
      ['filesystem_list', 'read'],
      ['filesystem_search', 'read'],
      ['filesystem_stat', 'read'],
      ['filesystem_write', 'write'],
      ['filesystem_move', 'write'],
      ['filesystem_copy', 'write'],
      ['filesystem_delete', 'destructive'],
    ])
  })

  it('accepts a custom name', () => {
    const { root } = makeFolder()
    expect(new FileSystemToolset({ root, name: 'work' }).tools()[0]?.name).toBe('work_read')
  })

  it('describes each tool and each argument', () => {
    const { root } = makeFolder()
    for (const tool of new FileSystemToolset({ root }).tools()) {
      const { description, parameters } = toSpec(tool).function
      expect(description).not.toBe('')
      for (const property of Object.values(parameters.properties as Record<string, object>)) {
        expect(property).toMatchObject({ type: expect.any(String), description: expect.any(String) })
      }
    }
  })

  it('works through validated calls', async () => {
    const { root } = makeFolder()
    const files = new FileSystemToolset({ root })
    await files.open()
    expect(await call(files.tools(), 'filesystem_write', { path: 'notes/a.txt', text: 'one\ntwo\n' })).toMatchObject({
      ok: true,
      output: { path: 'notes/a.txt', size: 8, created: true },
    })
    expect(await call(files.tools(), 'filesystem_read', { path: 'notes/a.txt', start_line: 2, line_count: 1 })).toMatchObject({
      output: { text: 'two\n', lines: 2, truncated: false },
    })
    expect(await call(files.tools(), 'filesystem_list')).toMatchObject({
      output: { entries: [{ path: 'notes', type: 'directory' }] },
    })
    expect(await call(files.tools(), 'filesystem_search', { text: 'TWO' })).toMatchObject({ output: { matches: [{ line: 2 }] } })
    expect(await call(files.tools(), 'filesystem_stat', { path: 'notes/a.txt' })).toMatchObject({ output: { size: 8 } })
    expect(await call(files.tools(), 'filesystem_copy', { from: 'notes/a.txt', to: 'b.txt' })).toMatchObject({
      output: { size: 8 },
    })
    expect(await call(files.tools(), 'filesystem_move', { from: 'b.txt', to: 'c.txt' })).toMatchObject({
      output: { to: 'c.txt' },
    })
    expect(await call(files.tools(), 'filesystem_delete', { path: 'notes', recursive: true })).toMatchObject({
      output: { deleted: 2 },
    })
    expect(readdirSync(root)).toEqual(['c.txt'])
  })

  it.each<Loose>([
    [{ path: 7 }, 'invalid_arguments', undefined],
    [{}, 'invalid_arguments', undefined],
    [{ path: 'a', start_line: 0 }, 'invalid_arguments', undefined],
    [{ path: '../x' }, 'execution_failed', 'path_outside_root'],
    [{ path: 'a\0b' }, 'execution_failed', 'invalid_path'],
    [{ path: '' }, 'execution_failed', 'invalid_path'],
    [{ path: 'none' }, 'execution_failed', 'not_found'],
  ])('returns an error for a call with %j', async (args, code, reason) => {
    const { root } = makeFolder()
    const result = await call(new FileSystemToolset({ root }).tools(), 'filesystem_read', args)
    expect(result).toMatchObject({ ok: false, error: { code, ...(reason && { reason }) } })
    expect(!result.ok && result.error.reason).toBe(reason)
    expect(result.ok || result.error.message).not.toContain(root)
  })

  it('rejects a direct call, and never throws synchronously', async () => {
    const { root } = makeFolder()
    const files = new FileSystemToolset({ root })
    await expect(files.read({ path: '../x' })).rejects.toMatchObject({ reason: 'path_outside_root' })
    await expect(files.move({ from: '/a', to: 'b' })).rejects.toMatchObject({ reason: 'path_outside_root' })
  })

  it('has no tool and no method that changes files if it is read-only', async () => {
    const { root } = makeFolder()
    writeFileSync(join(root, 'a'), 'text')
    const files = new FileSystemToolset({ root, readOnly: true })
    expect(files.tools().map(({ name }) => name)).toEqual([
      'filesystem_read',
      'filesystem_list',
      'filesystem_search',
      'filesystem_stat',
    ])
    expect(files.tools()).toBe(files.tools())
    expect(await files.read({ path: 'a' })).toMatchObject({ text: 'text' })
    for (const name of ['write', 'move', 'copy', 'delete'] as const) expect(files[name]).toBeUndefined()
  })

  it('keeps all of twenty concurrent appends, each of them complete', async () => {
    const { root } = makeFolder()
    const files = new FileSystemToolset({ root })
    const lines = Array.from({ length: 20 }, (_, index) => `line ${index}\n`)
    await Promise.all(lines.map((text, index) => files.write({ path: index % 2 ? 'log' : './log', text, mode: 'append' })))
    expect(readFileSync(join(root, 'log'), 'utf8')).toBe(lines.join(''))
  })

  it('keeps all of a hundred appends by two toolsets, one of them in a folder of the other', async () => {
    const { base, root } = makeFolder()
    const [outer, inner] = [new FileSystemToolset({ root: base }), new FileSystemToolset({ root })]
    const lines = Array.from({ length: 100 }, (_, index) => `line ${index}\n`)
    const append = (text: string, index: number) =>
      index % 2 ? outer.write({ path: 'work/log', text, mode: 'append' }) : inner.write({ path: 'log', text, mode: 'append' })
    await Promise.all(lines.map(append))
    expect(readFileSync(join(root, 'log'), 'utf8').split('\n').sort()).toEqual(lines.join('').split('\n').sort())
  })

  it('shows an image to the model, but no other form of its data', async () => {
    const { root } = makeFolder()
    const data = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\0', 'latin1')
    writeFileSync(join(root, 'a.png'), data)
    writeFileSync(join(root, 'a.txt'), 'text')
    const files = new FileSystemToolset({ root })
    const result = await call(files.tools(), 'filesystem_read', { path: 'a.png' })
    expect(result).toMatchObject({
      output: { path: 'a.png', text: '', size: 12, image: { mediaType: 'image/png', data: '[binary, 12 bytes]' } },
      modelOutput: [
        { type: 'text', text: 'a.png: image/png, 12 bytes' },
        { type: 'image', mediaType: 'image/png', source: { base64: data.toString('base64') } },
      ],
    })
    expect(await files.read({ path: 'a.png' })).toMatchObject({ image: { data } })
    expect(await call(files.tools(), 'filesystem_read', { path: 'a.txt' })).not.toHaveProperty('modelOutput')
    const small = new FileSystemToolset({ root, maxImageBytes: 11 })
    expect(await call(small.tools(), 'filesystem_read', { path: 'a.png' })).toMatchObject({ error: { reason: 'too_large' } })
  })

  it('applies the given limits', async () => {
    const { root } = makeFolder()
    mkdirSync(join(root, 'd'))
    writeFileSync(join(root, 'a'), '12345')
    const files = new FileSystemToolset({
      root,
      maxReadBytes: 4,
      maxWriteBytes: 3,
      maxCopyBytes: 2,
      maxEntries: 1,
      maxMatches: 1,
    })
    await expect(files.read({ path: 'a' })).rejects.toMatchObject({ reason: 'too_large' })
    await expect(files.write({ path: 'b', text: '1234' })).rejects.toMatchObject({ reason: 'too_large' })
    await expect(files.copy({ from: 'a', to: 'b' })).rejects.toMatchObject({ reason: 'too_large' })
    expect(await files.list({})).toMatchObject({ entries: [{ path: 'a' }], truncated: true })
    expect(readdirSync(root)).toEqual(['a', 'd'])
  })

  it.each<Loose>([
    { maxReadBytes: 0 },
    { maxDepth: -1 },
    { maxEntries: 1.5 },
    { maxMatches: Number.NaN },
    { maxWriteBytes: '9' as never },
  ])('refuses %j at creation', (limits) => {
    const { root } = makeFolder()
    expect(() => new FileSystemToolset({ root, ...limits })).toThrow(expect.objectContaining({ code: 'invalid_definition' }))
  })

  it('explains the options if it gets a path instead', () => {
    expect(() => new FileSystemToolset('/srv' as never)).toThrow(
      "FileSystemToolset takes an options object, such as { root: './notes' }, got a string.",
    )
  })

  it('refuses a root that does not exist', () => {
    const { root } = makeFolder()
    expect(() => new FileSystemToolset({ root: join(root, 'none') })).toThrow(
      'FileSystemToolset "filesystem": root must be an existing directory',
    )
  })
})
