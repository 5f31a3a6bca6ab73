import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { expect, it } from 'vitest'

const script = resolve(import.meta.dirname, 'prepack.mjs')

it('a package without its types is not packed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'x-prepack-'))
  const exports = { '.': { types: './dist/index.d.ts', default: './dist/index.js' }, './package.json': './package.json' }
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: '@x/some', exports }))
  mkdirSync(join(folder, 'dist'))
  writeFileSync(join(folder, 'dist/index.js'), '')
  const pack = () => execFileSync(process.execPath, [script], { cwd: folder, encoding: 'utf8', stdio: 'pipe' })
  expect(pack).toThrow('@x/some has not been built completely. These files are missing: ./dist/index.d.ts.')
  writeFileSync(join(folder, 'dist/index.d.ts'), '')
  expect(pack()).toBe('')
  rmSync(folder, { recursive: true })
})

it('a release without a repository address is not packed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'x-prepack-'))
  const pack = (manifest: object) => {
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: '@x/some', exports: {}, ...manifest }))
    return execFileSync(process.execPath, [script], { cwd: folder, encoding: 'utf8', stdio: 'pipe' })
  }
  expect(pack({ version: '0.0.0' })).toBe('')
  expect(() => pack({ version: '0.1.0' })).toThrow('@x/some 0.1.0 has no `repository`')
  expect(
    pack({ version: '0.1.0', repository: { type: 'git', url: 'https://example.com/x.git', directory: 'packages/some' } }),
  ).toBe('')
  rmSync(folder, { recursive: true })
})

it('every published package is checked before it is packed', () => {
  const packages = resolve(import.meta.dirname, '../packages')
  const manifests = readdirSync(packages).map((name) => JSON.parse(readFileSync(join(packages, name, 'package.json'), 'utf8')))
  const published = manifests.filter(({ private: isPrivate }) => !isPrivate)
  expect(new Set(published.map(({ scripts }) => scripts.prepack))).toEqual(new Set(['node ../../scripts/prepack.mjs']))
})

it('a packed README links only to packed files of its package', () => {
  const packages = resolve(import.meta.dirname, '../packages')
  const dead = readdirSync(packages).flatMap((name) => {
    const folder = join(packages, name)
    const { files = [], private: isPrivate } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    if (isPrivate) return []
    const packed = ['README.md', ...files]
    return packed
      .filter((file) => file.endsWith('README.md'))
      .flatMap((page) =>
        linksOf(readFileSync(join(folder, page), 'utf8'))
          .map((link) => relative(folder, resolve(folder, dirname(page), link)))
          // Links that leave the package resolve in the repository.
          .filter((path) => path !== '' && !path.startsWith('..') && !packed.includes(path))
          .map((path) => `${name}/${page}: ${path}`),
      )
  })
  expect(dead).toEqual([])
})

/** Returns the paths of relative links. */
function linksOf(markdown: string): string[] {
  const prose = markdown.replace(/^```[\s\S]*?^```/gm, '')
  return Array.from(prose.matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)/g), ([, link = '']) => link)
}
