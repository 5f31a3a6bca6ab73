/** Runs the conformance runner on corpora that a test writes. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { conformance } from '../../src/conformance/conformance.ts'
import type { Suite } from '../../src/conformance/suite.ts'
import { SUITES } from '../../src/conformance/suites.ts'

interface Report {
  readonly passed: number
  readonly failed: number
  readonly metrics: object
  readonly failures: readonly { readonly id: string; readonly why: string }[]
}

/** Creates a runner that writes everything to `folder`. The test must remove it. */
export function createTestRunner() {
  const folder = mkdtempSync(join(tmpdir(), 'x-conformance-'))
  const writeCorpus = (files: Record<string, unknown>): string => {
    const corpus = mkdtempSync(join(folder, 'corpus-'))
    for (const [file, content] of Object.entries(files)) {
      mkdirSync(dirname(join(corpus, file)), { recursive: true })
      writeFileSync(join(corpus, file), typeof content === 'string' ? content : JSON.stringify(content))
    }
    return corpus
  }
  const run = async (words: readonly string[], suites: readonly Suite[] = SUITES) => {
    const written = { out: '', err: '' }
    const write = (stream: keyof typeof written) => (text: string) => {
      written[stream] += text
    }
    return { code: await conformance(words, { suites, out: write('out'), err: write('err') }), ...written }
  }
  const runJson = async (suite: string, files: Record<string, unknown>, suites?: readonly Suite[]) => {
    const { code, out } = await run([suite, '--json', '--corpus', writeCorpus(files)], suites)
    return { code, report: JSON.parse(out) as Report }
  }
  return { folder, writeCorpus, run, runJson }
}
