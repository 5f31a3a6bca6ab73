/** Finds the property tests of a repository, and runs them once with a seed. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'

export interface FailedTest {
  /** Path from the root of the repository. */
  readonly file: string
  /** Includes the names of the enclosing suites. */
  readonly name: string
  readonly message: string
}

export type RunTests = (seed: number) => Promise<readonly FailedTest[]>

/** Runs the test files that import fast-check with a seed. Rejects unless all of them run. */
export async function runPropertyTests(root: string, seed: number): Promise<readonly FailedTest[]> {
  const files = sourceFolders(root).flatMap((folder) => findPropertyTests(root, folder))
  if (files.length === 0) throw new Error(`No test in ${root} imports fast-check.`)
  const folder = mkdtempSync(join(tmpdir(), 'fuzz-properties-'))
  const report = join(folder, 'report.json')
  try {
    const { code, said } = await runVitest(root, seed, ['--reporter=json', `--outputFile=${report}`, ...files])
    const failed = existsSync(report) ? failedIn(root, JSON.parse(readFileSync(report, 'utf8'))) : []
    if (code !== 0 && failed.length === 0) throw new Error(`The tests didn't run: ${said}`)
    return failed
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function sourceFolders(root: string): readonly string[] {
  const groups = ['packages', 'apps'].map((group) => join(root, group)).filter((group) => existsSync(group))
  return groups.flatMap((group) => readdirSync(group).map((name) => join(group, name, 'src'))).filter((path) => existsSync(path))
}

function findPropertyTests(root: string, folder: string): readonly string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name))
  const tests = files.filter((file) => file.endsWith('.test.ts'))
  return tests
    .filter((file) => /^import .* from 'fast-check'$/m.test(readFileSync(file, 'utf8')))
    .map((file) => relative(root, file))
}

async function runVitest(root: string, seed: number, words: readonly string[]) {
  const child = spawn(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...words], {
    cwd: root,
    env: { ...process.env, X_SEED: String(seed) },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', (text) => {
    said += text
  })
  const stop = (signal: NodeJS.Signals) => child.kill(signal)
  for (const signal of SIGNALS) process.on(signal, stop)
  const [code] = await once(child, 'close')
  for (const signal of SIGNALS) process.off(signal, stop)
  return { code: code as number | null, said }
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** The used part of vitest's output. */
interface TestReport {
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    readonly message: string
    readonly assertionResults: readonly {
      readonly fullName: string
      readonly status: string
      readonly failureMessages: readonly string[] | null
    }[]
  }[]
}

function failedIn(root: string, { testResults }: TestReport): readonly FailedTest[] {
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(root, name)
    const failed = assertionResults.filter((test) => test.status === 'failed')
    // No property failed: the file can't be loaded, or its setup has failed.
    if (status === 'failed' && failed.length === 0) throw new Error(`${file} did not run: ${message}`)
    return failed.map(({ fullName, failureMessages }) => ({ file, name: fullName, message: failureMessages?.[0] ?? '' }))
  })
}
