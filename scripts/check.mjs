/** The one loop of a contributor: types, type cost, arrows, lint, tests; with `--packages` also the packages as users get them. */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')
const bin = (name) => join(root, 'node_modules', name)
/** Needs pnpm on the path: run this script by `pnpm check` or `npm test`. */
const turbo = (task) => [bin('turbo/bin/turbo'), 'run', task, '--output-logs=errors-only']
const scratch = mkdtempSync(join(tmpdir(), 'x-check-'))
const report = join(scratch, 'unit.json')

const steps = [
  { title: 'types and their cost, project by project (TypeScript 7)', run: ['scripts/check-type-cost.mjs'] },
  { title: 'types, all together (TypeScript 6)', run: [bin('typescript/bin/tsc'), '-p', 'tsconfig.json', '--pretty', 'false'] },
  { title: 'arrows between packages', run: ['scripts/check-arrows.mjs'] },
  { title: 'lint and format', run: [bin('@biomejs/biome/bin/biome'), 'ci', '--colors=off', '.'] },
  {
    title: 'tests',
    run: [bin('vitest/vitest.mjs'), 'run', '--reporter=dot', '--reporter=json', `--outputFile.json=${report}`],
    count: readReport,
  },
]
const packageSteps = [
  { title: 'build', run: turbo('build') },
  { title: 'package contents (publint, attw)', run: turbo('pkg-check') },
  { title: 'packages installed from their tarballs', run: ['scripts/check-packed.mjs'] },
]

let passed = 0
let failed = 0
let skipped = 0
for (const { title, run, count } of process.argv.includes('--packages') ? [...steps, ...packageSteps] : steps) {
  const started = performance.now()
  process.stdout.write(`▸ ${title} …\n`)
  const { code, output } = await execute(run)
  const counted = count?.() ?? { passed: code === 0 ? 1 : 0, failed: 0, skipped: 0 }
  passed += counted.passed
  failed += counted.failed + (code !== 0 && counted.failed === 0 ? 1 : 0)
  skipped += counted.skipped
  if (code !== 0) process.stdout.write(`${output.trimEnd()}\n`)
  for (const line of counted.notes ?? []) process.stdout.write(`  ${line}\n`)
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  process.stdout.write(`${code === 0 ? '✓' : '✗'} ${title}: ${count ? `${counted.passed} passed, ` : ''}${seconds} s\n`)
}
rmSync(scratch, { recursive: true, force: true })
process.stdout.write(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`)
process.exit(failed === 0 ? 0 : 1)

function readReport() {
  try {
    const { numPassedTests, numFailedTests, numPendingTests, testResults } = JSON.parse(readFileSync(report, 'utf8'))
    // A file that does not load has no test that failed.
    const brokenFiles = testResults.filter(
      ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
    ).length
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
      notes: [...notes].slice(0, 20),
    }
  } catch {
    return { passed: 0, failed: 1, skipped: 0 }
  }
}

function execute(run) {
  const env = { ...process.env, FORCE_COLOR: '0', NO_COLOR: '1' }
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
