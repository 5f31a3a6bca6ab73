import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { bundleProgram } from '../../test/program.ts'

const suffix = process.platform === 'win32' ? ' (skipped: Windows has no limit of open files)' : ''

it.skipIf(suffix !== '')(`an agent runs in a worker whose process has no free file descriptors${suffix}`, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'no-descriptors-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const program = await bundleProgram('no-descriptors.ts', true)
  expect(await program.runLimited(200, 'files', folder)).toBe('{"answer":"4","unknown":0}')
})
