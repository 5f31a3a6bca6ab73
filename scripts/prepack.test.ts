import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
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

it('every published package is checked before it is packed', () => {
  const packages = resolve(import.meta.dirname, '../packages')
  const manifests = readdirSync(packages).map((name) => JSON.parse(readFileSync(join(packages, name, 'package.json'), 'utf8')))
  const published = manifests.filter(({ private: isPrivate }) => !isPrivate)
  expect(new Set(published.map(({ scripts }) => scripts.prepack))).toEqual(new Set(['node ../../scripts/prepack.mjs']))
})
