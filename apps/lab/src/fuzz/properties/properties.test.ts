/** Tests the `properties` target: it runs property tests with one seed after another, and reports each failing test once. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { fuzzProperties } from './properties.ts'
import { type FailedTest, type RunTests, runPropertyTests } from './property-tests.ts'

const failed = (name: string): FailedTest => ({ file: 'packages/a/src/a.test.ts', name, message: 'Error: no\n{ path: "0" }' })

async function call(runTests: RunTests, ...words: string[]) {
  const written = { out: '', err: '' }
  const out = (text: string) => {
    written.out += text
  }
  const err = (text: string) => {
    written.err += text
  }
  // Each run takes one second.
  let time = 0
  const now = () => 1000 * time++
  const code = await fuzzProperties(['properties', ...words], { targets: ['arguments', 'properties'], runTests, out, err, now })
  return { code, ...written }
}

describe('the runner', () => {
  it('gives every run the next seed until the time is up, and exits with 0 when nothing failed', async () => {
    const seeds: number[] = []
    const runTests: RunTests = async (seed) => {
      seeds.push(seed)
      return []
    }
    const { code, out } = await call(runTests, '--seed', '5', '--seconds', '3')
    expect(seeds).toEqual([5, 6, 7])
    expect([code, out]).toEqual([0, 'fuzz properties: seeds 5 to 7, 3 runs, 0 findings\n'])
  })

  it('reports a test once, with its first seed and the command to reproduce it, and exits with 1', async () => {
    const runTests: RunTests = async (seed) => (seed === 5 ? [] : [failed("it's a (sum)")])
    const { code, out } = await call(runTests, '--seed', '5', '--seconds', '3')
    expect(out).toBe(`✗ packages/a/src/a.test.ts: it's a (sum)
  Error: no
  { path: "0" }
  seed 6, 2 of 3 runs: X_SEED=6 pnpm unit packages/a/src/a.test.ts -t 'it'\\''s a \\(sum\\)'
fuzz properties: seeds 5 to 7, 3 runs, 1 findings
`)
    expect(code).toBe(1)
  })

  it('prints one object with --json', async () => {
    const { out } = await call(async () => [failed('sum')], '--seed', '5', '--seconds', '0', '--json')
    const findings = [{ ...failed('sum'), seed: 5, times: 1 }]
    expect(JSON.parse(out)).toEqual({ target: 'properties', seed: 5, runs: 1, findings })
  })

  it('exits with 2 when the tests cannot run', async () => {
    const { code, out, err } = await call(() => Promise.reject(new Error('No test is here.')), '--seed', '5')
    expect([code, out]).toEqual([2, ''])
    expect(err).toContain('No test is here.')
    expect((await call(async () => [], '--runs', '5')).code).toBe(2)
  })
})

describe('a run', () => {
  const root = mkdtempSync(join(tmpdir(), 'fuzz-properties-test-'))
  afterAll(() => rmSync(root, { recursive: true }))

  it('runs the tests that import fast-check with its seed, and returns those that fail', async () => {
    const source = join(root, 'packages/a/src')
    mkdirSync(source, { recursive: true })
    symlinkSync(resolve(import.meta.dirname, '../../../../../node_modules'), join(root, 'node_modules'), 'junction')
    writeFileSync(join(source, 'sum.test.ts'), SUM)
    writeFileSync(join(source, 'other.test.ts'), "throw new Error('This is no property test.')")
    expect(await runPropertyTests(root, 7)).toEqual([
      { file: 'packages/a/src/sum.test.ts', name: 'a sum is right', message: expect.stringContaining('Counterexample') },
    ])
    writeFileSync(join(source, 'sum.test.ts'), `${SUM}\nthrow new Error('It cannot be loaded.')`)
    await expect(runPropertyTests(root, 8)).rejects.toThrow(/sum\.test\.ts did not run: .*It cannot be loaded/)
  })
})

const SUM = `import fc from 'fast-check'
import { describe, it } from 'vitest'
describe('a sum', () => {
  it('is right', () => fc.assert(fc.property(fc.nat(), () => process.env.X_SEED !== '7')))
})`
