import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { filesIn, makeFolder, NO_LINKS } from '../../../test/filesystem/files.ts'
import type { SearchMatch } from './search.ts'
import { wildcardMatcher } from './wildcard.ts'

async function filled() {
  const { root } = makeFolder()
  const files = filesIn(root)
  await files.write('a.ts', 'const One = 1\nconst two = 2\n')
  await files.write('b/a.md', 'one\r\nTwo ones: one one')
  await files.write('b/one.txt', '')
  return { root, files }
}

describe('a search', () => {
  it('finds lines that contain a text, ignoring case', async () => {
    const { files } = await filled()
    expect(await files.search('ONE')).toEqual({
      matches: [
        { path: 'a.ts', line: 1, text: 'const One = 1' },
        { path: 'b/a.md', line: 1, text: 'one' },
        { path: 'b/a.md', line: 2, text: 'Two ones: one one' },
      ],
      skipped: 0,
      truncated: false,
    })
  })

  it('is case-sensitive with match_case', async () => {
    const { files } = await filled()
    expect((await files.search('One', '.', { matchCase: true })).matches).toHaveLength(1)
  })

  it('takes the text literally', async () => {
    const { files } = await filled()
    expect((await files.search('.*(')).matches).toEqual([])
  })

  it('searches one file, or one directory', async () => {
    const { files } = await filled()
    expect((await files.search('one', 'a.ts')).matches).toHaveLength(1)
    expect((await files.search('one', 'b')).matches.map(({ path }: SearchMatch) => path)).toEqual(['b/a.md', 'b/a.md'])
    await expect(files.search('one', 'none')).rejects.toMatchObject({ reason: 'not_found' })
  })

  it('finds names', async () => {
    const { files } = await filled()
    expect((await files.search('ONE', '.', { where: 'names' })).matches).toEqual([{ path: 'b/one.txt' }])
    expect((await files.search('b', '.', { where: 'names' })).matches).toEqual([{ path: 'b' }])
  })

  it('searches only names that match a pattern', async () => {
    const { files } = await filled()
    expect((await files.search('one', '.', { pattern: '*.md' })).matches.map(({ path }: SearchMatch) => path)).toEqual([
      'b/a.md',
      'b/a.md',
    ])
  })

  it.each([
    ['pattern', 'one', { pattern: '**/*.ts' }],
    ['text', 'b/one', { where: 'names' }],
  ] as const)('refuses a path where a name is compared: %s', async (argument, text, options) => {
    const { files } = await filled()
    await expect(files.search(text, '.', options)).rejects.toMatchObject({
      reason: 'invalid_path',
      message: `"${argument}" is compared with names, which contain no "/". To search one directory, pass it as "path".`,
    })
  })

  it('stops at the maximum number of matches, and reports it', async () => {
    const { files } = await filled()
    expect(await files.search('one', '.', { maxMatches: 2 })).toMatchObject({
      matches: [{ line: 1 }, { line: 1 }],
      truncated: true,
    })
    expect(await files.search('one', '.', { maxMatches: 3 })).toMatchObject({ truncated: false })
  })

  it('stops at the maximum number of files, and reports it', async () => {
    const { files } = await filled()
    expect(await files.search('one', '.', { maxVisits: 1 })).toMatchObject({ matches: [{ path: 'a.ts' }], truncated: true })
    expect(await files.search('one', '.', { maxVisits: 4 })).toMatchObject({ truncated: false })
  })

  it('returns the part of a long line around the match', async () => {
    const { files } = await filled()
    await files.write('long', `${'x'.repeat(400)}needle${'y'.repeat(400)}`)
    const [match] = (await files.search('needle', '.', { pattern: 'long' })).matches
    expect(match?.text).toHaveLength(200)
    expect(match?.text).toContain('xneedley')
  })

  it('returns the match in a long line whose lower case is longer than its upper case', async () => {
    const { files } = await filled()
    await files.write('long', `${'İ'.repeat(300)}needle`)
    const [match] = (await files.search('NEEDLE', '.', { pattern: 'long' })).matches
    expect(match?.text).toBe(`${'İ'.repeat(194)}needle`)
  })

  it('never splits a character', async () => {
    const { files } = await filled()
    await files.write('long', `${'😀'.repeat(60)} needles${'😀'.repeat(140)}`)
    const [match] = (await files.search('needle', '.', { pattern: 'long' })).matches
    expect(match?.text).toBe(`${'😀'.repeat(39)} needles${'😀'.repeat(56)}`)
  })

  it('counts the files that are too large to search', async () => {
    const { files } = await filled()
    await files.write('large', 'one\n'.repeat(300))
    expect(await files.search('one', '.', { pattern: 'large' })).toEqual({ matches: [], skipped: 1, truncated: false })
  })

  it.skipIf(NO_LINKS !== '')(`terminates in a loop of links${NO_LINKS}`, async () => {
    const { root, files } = await filled()
    symlinkSync('..', join(root, 'b/up'))
    expect((await files.search('one')).matches).toHaveLength(3)
  })

  it.each(['names', 'contents'] as const)(
    'refuses a text or a pattern that is too long, before it searches %s',
    async (where) => {
      const { files } = await filled()
      const message = (name: string) => `"${name}" has 1001 characters, and the limit is 1000. Nothing was searched.`
      await expect(files.search('x'.repeat(1001), '.', { where })).rejects.toMatchObject({
        reason: 'limit',
        message: message('text'),
      })
      await expect(files.search('x', 'a.ts', { where, pattern: '*'.repeat(1001) })).rejects.toMatchObject({
        reason: 'limit',
        message: message('pattern'),
      })
      expect(await files.search('x'.repeat(1000), '.', { where, pattern: '*'.repeat(1000) })).toMatchObject({ matches: [] })
    },
  )

  it('prepares the pattern and the text once, not for each file', async () => {
    const { root, files } = await filled()
    const splits = vi.spyOn(String.prototype, 'split')
    const lowered = vi.spyOn(String.prototype, 'toLowerCase')
    onTestFinished(() => void vi.restoreAllMocks())
    const callsOf = async () => {
      for (const spy of [splits, lowered]) spy.mockClear()
      await files.search('NEEDLE', '.', { pattern: '*none*' })
      return [splits, lowered].map(
        ({ mock }) => mock.contexts.filter((text) => ['*none*', 'NEEDLE'].includes(String(text))).length,
      )
    }
    for (let index = 0; index < 20; index++) writeFileSync(join(root, `file-${index}`), '')
    expect(await callsOf()).toEqual([1, 1])
  })

  it('stops when the caller aborts', async () => {
    const { files } = await filled()
    await expect(files.search('one', '.', { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'aborted' })
  })
})

describe('a pattern of names', () => {
  it.each([
    ['a.ts', 'a.ts', true],
    ['a.ts', 'A.ts', false],
    ['a.ts', '*', true],
    ['', '*', true],
    ['a.ts', '*.ts', true],
    ['a.ts', 'a*', true],
    ['abab', 'ab*ab', true],
    ['aba', 'ab*ba', false],
    ['axbxc', 'a*b*c', true],
    ['axcxb', 'a*b*c', false],
    ['a.c', 'a?c', false],
    ['a', '', false],
    ['abcabc', '*bc*bc', true],
    ['abc', '*bc*bc', false],
  ])('matches %j against %j: %j', (name, pattern, fits) => {
    expect(wildcardMatcher(pattern)(name)).toBe(fits)
  })

  it('takes linear time for a hostile pattern', () => {
    expect(wildcardMatcher(`${'*a'.repeat(50_000)}*b`)('a'.repeat(255))).toBe(false)
  })

  it('treats several stars as one', () => {
    expect(wildcardMatcher('a**b***')('a-b-')).toBe(true)
    expect(wildcardMatcher('*'.repeat(1000))('a')).toBe(true)
  })
})
