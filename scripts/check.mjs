/**
 * Checks for contributors: types, type cost, package dependencies and lint of everything, and the tests of packages with files that changed
 * since they last passed. The tests of packages that depend on them aren't repeated. Types are compiled incrementally.
 * With `--all`, which `npm test` uses: all tests and the packed packages, and with X_FULL also TypeScript 6 and the demo alone. Independent steps run in parallel.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { findMissingTests } from './requirements.mjs'

const root = resolve(import.meta.dirname, '..')
const scratch = mkdtempSync(join(tmpdir(), 'x-check-'))
const bin = (name) => join(root, 'node_modules', name)
/** Turbo needs pnpm on the PATH, so run this script with `pnpm check` or `npm test`. It runs one task per core; its default is ten. */
const turbo = (task) => [bin('turbo/bin/turbo'), 'run', task, '--concurrency=100%', '--output-logs=errors-only']
/** Tests start hundreds of processes and connect only to this machine. Reading more certificates doubles Node's start-up time. */
const NO_CERTIFICATES = { NODE_EXTRA_CA_CERTS: undefined }
/** The native compiler and esbuild are written in Go. By default, they spend a third of their time on collecting garbage. */
const COLLECT_LESS = { GOGC: process.env.GOGC ?? '800', GOMEMLIMIT: process.env.GOMEMLIMIT ?? '3GiB' }
const vitest = (project) => {
  const report = join(scratch, `${project}.json`)
  const reporters = ['--reporter=dot', '--reporter=json', `--outputFile.json=${report}`]
  const run = [bin('vitest/vitest.mjs'), 'run', `--project=${project}`, ...reporters]
  return { run, count: () => readReport(report), env: NO_CERTIFICATES }
}

const isAll = process.argv.includes('--all')
/**
 * `pnpm check` compares with what the compiler found the last time, so that it checks only what a change can affect. `npm test` checks
 * everything anew, with one thread, because several threads check some types more than once.
 */
const compilerOptions = isAll
  ? ['--singleThreaded']
  : ['--incremental', '--tsBuildInfoFile', 'node_modules/.cache/check.tsbuildinfo']

const checks = [
  { title: 'dependencies between packages', run: ['scripts/check-arrows.mjs'] },
  { title: 'lint and format', run: [bin('@biomejs/biome/bin/biome'), 'ci', '--colors=off', '.'] },
  {
    title: 'types (TypeScript 7)',
    run: [bin('typescript-7/bin/tsc'), '-p', 'tsconfig.json', '--pretty', 'false', ...compilerOptions],
  },
  { title: 'type cost of typical user programs', run: ['scripts/check-type-cost.mjs'] },
]
/** CI runs these too. The packed packages are compiled with both compilers anyway. */
const slowChecks = [
  {
    title: 'public types (TypeScript 6, bundler resolution)',
    run: [bin('typescript/bin/tsc'), '-p', 'tsconfig.typescript-6.json', '--pretty', 'false'],
  },
  { title: 'demo on a machine without the development tools', run: ['scripts/check-demo.mjs'] },
]
const moreChecks = [
  { title: 'build', run: turbo('build') },
  { title: 'packed and installed packages (publint, examples; attw and Rollup with X_FULL)', run: ['scripts/check-packed.mjs'] },
  ...(process.env.X_FULL ? slowChecks : []),
]
/**
 * Lanes run in parallel with the same priority. The steps of a lane run one after another. With a lower priority, the unit tests would get
 * a few percent of a core on a busy machine, and a database that needs two seconds to open would need two minutes.
 */
const lanes = isAll
  ? [
      [{ title: 'tests with DBOS', ...vitest('dbos') }],
      [{ title: 'tests that kill processes', ...vitest('processes') }],
      [{ title: 'tests', ...vitest('units') }],
      [...checks, ...moreChecks],
    ]
  : [[{ title: 'tests of changed packages', run: turbo('test') }], checks]

const started = performance.now()
const total = { passed: 0, failed: 0, skipped: 0 }
/** Names of the tests in each file. */
const names = new Map()
await Promise.all(lanes.map(runLane))
rmSync(scratch, { recursive: true, force: true })
if (isAll) {
  const missing = findMissingTests(names)
  total[missing.length === 0 ? 'passed' : 'failed'] += 1
  for (const test of missing) process.stdout.write(`✗ scripts/requirements.md names a test that hasn't run: ${test}\n`)
}
const { passed, failed, skipped } = total
process.stdout.write(`\nTotal: ${secondsSince(started)} s\n`)
process.stdout.write(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`)
process.exit(failed === 0 ? 0 : 1)

async function runLane(steps) {
  for (const { title, run, count, env } of steps) {
    const begun = performance.now()
    const { code, output } = await execute(run, env)
    const counted = count?.() ?? { passed: code === 0 ? 1 : 0, failed: 0, skipped: 0 }
    total.passed += counted.passed
    total.failed += counted.failed + (code !== 0 && counted.failed === 0 ? 1 : 0)
    total.skipped += counted.skipped
    if (code !== 0) process.stdout.write(`${output.trimEnd()}\n`)
    const seconds = `${count ? `${counted.passed} passed, ` : ''}${secondsSince(begun)} s`
    process.stdout.write(`${code === 0 ? '✓' : '✗'} ${title}: ${seconds}\n`)
    for (const line of [...(counted.notes ?? []), ...(output.match(/^Property tests: .*/m) ?? [])])
      process.stdout.write(`  ${line}\n`)
  }
}

function secondsSince(begun) {
  return ((performance.now() - begun) / 1000).toFixed(1)
}

function readReport(report) {
  try {
    const { numPassedTests, numFailedTests, numPendingTests, testResults } = JSON.parse(readFileSync(report, 'utf8'))
    // A file that can't be loaded has no failed test, so it is counted separately.
    const brokenFiles = testResults.filter(
      ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
    ).length
    for (const { name, assertionResults } of testResults)
      names.set(
        name,
        assertionResults.map(({ fullName }) => fullName),
      )
    const notes = new Set(
      testResults.flatMap(({ assertionResults }) =>
        assertionResults
          .filter(({ status }) => status !== 'passed' && status !== 'failed')
          .map(({ fullName }) => `skipped: ${fullName}`),
      ),
    )
    return {
      passed: numPassedTests,
      failed: numFailedTests + brokenFiles,
      skipped: numPendingTests,
      notes: [...[...notes].slice(0, 20), `slowest files: ${slowest(testResults)}`],
    }
  } catch {
    return { passed: 0, failed: 1, skipped: 0 }
  }
}

/** Returns the names of the five files that took longest, with their seconds. */
function slowest(testResults) {
  return testResults
    .map(({ name, startTime, endTime }) => ({ name: relative(root, name), seconds: (endTime - startTime) / 1000 }))
    .sort((one, other) => other.seconds - one.seconds)
    .slice(0, 5)
    .map(({ name, seconds }) => `${name} ${seconds.toFixed(0)} s`)
    .join(', ')
}

function execute(run, ownEnv) {
  const quiet = { FORCE_COLOR: '0', NO_COLOR: '1' }
  const env = { ...process.env, ...COLLECT_LESS, ...quiet, X_DATABASE_TEMPLATES: scratch, ...ownEnv }
  return new Promise((settle) => {
    const child = spawn(process.execPath, run, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk
      })
    }
    child.on('close', (code) => settle({ code: code ?? 1, output }))
  })
}
