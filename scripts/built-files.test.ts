import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { builtFiles } from './built-files.mjs'

it('expects no build of a package that has none, so that the demo is not built again at each start', () => {
  const root = mkdtempSync(join(tmpdir(), 'built-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const write = (folder: string, manifest: object) => {
    mkdirSync(join(root, folder), { recursive: true })
    writeFileSync(join(root, folder, 'package.json'), JSON.stringify(manifest))
  }
  write('apps/demo', { dependencies: { '@x/lm': '*', '@x/file-owner': '*', pg: '*' } })
  write('packages/lm', { scripts: { 'build:js': 'tsup' } })
  write('packages/file-owner', { scripts: { test: 'vitest' } })
  expect(builtFiles(root)).toEqual([join(root, 'packages/lm/dist/index.js')])
})
