/** Type-checks every project, and fails when the compiler instantiates more types for it than its budget. */
import { execFile } from 'node:child_process'
import { join, resolve } from 'node:path'

/** Type instantiations; a generic that takes a whole schema instead of its properties costs over a million. */
const BUDGETS = {
  'packages/tool-core': 60_000,
  'packages/toolset': 60_000,
  'packages/registry': 60_000,
  'packages/adapters': 60_000,
  'packages/lm': 60_000,
  'packages/react-agent': 60_000,
  'apps/demo': 100_000,
  'apps/lab': 100_000,
}
const AT_ONCE = 2

const root = resolve(import.meta.dirname, '..')
const waiting = Object.entries(BUDGETS)
let failed = false

await Promise.all(Array.from({ length: AT_ONCE }, worker))
process.exit(failed ? 1 : 0)

async function worker() {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const [project, budget] = next
    const { code, output } = await compile(project)
    const instantiations = Number(/Instantiations:\s+(\d+)/.exec(output)?.[1] ?? Number.NaN)
    const verdict = code !== 0 ? 'does not type-check' : instantiations <= budget ? 'ok' : 'over its budget'
    console.log(`${project}: ${instantiations} of ${budget} instantiations, ${verdict}`)
    if (verdict === 'ok') continue
    failed = true
    console.error(
      output
        .split('\n')
        .filter((line) => line.includes('error TS'))
        .join('\n'),
    )
  }
}

function compile(project) {
  // With several threads the native compiler counts what they have in common more than once.
  const compiler = join(root, 'node_modules/typescript-7/bin/tsc')
  const options = ['--singleThreaded', '--extendedDiagnostics', '--pretty', 'false']
  const args = [compiler, '-p', join(root, project, 'tsconfig.json'), ...options]
  return new Promise((settle) => {
    execFile(process.execPath, args, { cwd: root, maxBuffer: 1 << 26 }, (error, stdout, stderr) => {
      settle({ code: error === null ? 0 : 1, output: stdout + stderr })
    })
  })
}
