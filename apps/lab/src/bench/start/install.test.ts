/** Tests what counts as installed: dependencies and required peers once, and of a workspace package only what is published. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { measureInstall } from './install.ts'

const folder = mkdtempSync(join(tmpdir(), 'x-bench-install-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function write(path: string, text: string): number {
  const file = join(folder, 'node_modules', path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  return text.length
}

it('counts each package once, and its files', () => {
  const optional = {
    dependencies: { b: '1' },
    peerDependencies: { c: '1', d: '1' },
    peerDependenciesMeta: { d: { optional: true } },
  }
  const expected =
    write('a/package.json', JSON.stringify(optional)) +
    write('b/package.json', '{"dependencies":{"c":"1"}}') +
    write('b/lib/index.js', 'export {}') +
    write('c/package.json', '{}')
  write('d/package.json', '{}')
  expect(measureInstall(['a', 'b'], [folder])).toEqual({ packages: 3, bytes: expected })
})

it('counts only published files of a package of the workspace', () => {
  write('own/package.json', '{"files":["dist"]}')
  write('own/tsup.config.ts', '')
  write('own/src/index.ts', 'export {}')
  write('own/dist/index.js.map', '{}')
  const bytes = write('own/dist/index.js', 'export {}')
  expect(measureInstall(['own'], [folder])).toEqual({ packages: 1, bytes })
})
