import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe } from 'vitest'
import { itKeepsContract } from '../../test/contract.ts'
import { itSurvivesDeploys } from '../../test/deploys.ts'
import { itPaysInside } from '../../test/nested/nested-payments.ts'
import { bundleProgram, type TestProgram } from '../../test/program.ts'
import { CONTRACT_CONCURRENCY, type ContractHarness } from '../contract/harness.ts'
import { createFileEngine } from './file-engine.ts'

const root = mkdtempSync(join(tmpdir(), 'file-contract-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
let program: TestProgram
beforeAll(async () => {
  program = await bundleProgram('file/worker.ts')
})

describe('contract of engines: files', () => {
  const harness: ContractHarness = {
    open: (store, fn) => createFileEngine({ folder: join(root, store), fn, lookEveryMs: 50, concurrency: CONTRACT_CONCURRENCY }),
    openRetaining: (store, fn, retentionMs) => createFileEngine({ folder: join(root, store), fn, lookEveryMs: 50, retentionMs }),
    startWorker: (settings) => program.start(settings, root),
    stalled: 'waited for',
  }
  itKeepsContract(harness)
  itPaysInside(harness)
  itSurvivesDeploys(harness)
})
