import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe } from 'vitest'
import { itKeepsContract } from '../../test/contract.ts'
import { bundleProgram, type TestProgram } from '../../test/program.ts'
import { createFileEngine } from './file-engine.ts'

const root = mkdtempSync(join(tmpdir(), 'file-contract-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
let program: TestProgram
beforeAll(async () => {
  program = await bundleProgram('file/worker.ts')
})

describe('contract of engines: files', () => {
  itKeepsContract({
    open: (store, fn) => createFileEngine({ folder: join(root, store), fn, lookEveryMs: 50 }),
    startWorker: (settings) => program.start(settings, root),
    stalled: 'waited for',
  })
})
