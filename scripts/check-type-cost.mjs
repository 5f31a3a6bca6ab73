/** Type-checks typical user programs, and fails if the compiler instantiates more types for a program than its budget allows. */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

/**
 * Maximum number of type instantiations for each program and the sources that it imports: 10 % more than it cost when the budget was set. A
 * generic that constrains a schema costs over a million (see docs/decisions/0008-type-cost.md).
 */
const BUDGETS = {
  'apps/lab/src/type-cost/tools.ts': 30_000,
  'apps/lab/src/type-cost/actions.ts': 35_000,
  'apps/lab/src/type-cost/toolsets.ts': 34_000,
  'apps/lab/src/type-cost/registry.ts': 41_000,
  'apps/lab/src/type-cost/predict.ts': 61_000,
  'apps/lab/src/type-cost/agent.ts': 87_000,
  'apps/lab/src/type-cost/models.ts': 69_000,
  'apps/lab/src/type-cost/durable.ts': 65_000,
  'packages/toolset/src/toolset/scale.test-d.ts': 63_000,
}

const root = resolve(import.meta.dirname, '..')
const scratch = mkdtempSync(join(tmpdir(), 'x-type-cost-'))
let failed = false
for (const [program, budget] of Object.entries(BUDGETS)) {
  const { code, output } = await compile(program)
  const instantiations = Number(/Instantiations:\s+(\d+)/.exec(output)?.[1] ?? Number.NaN)
  const verdict = code !== 0 ? "doesn't type-check" : instantiations <= budget ? 'ok' : 'over its budget'
  console.log(`${program}: ${instantiations} of ${budget} instantiations, ${verdict}`)
  if (verdict === 'ok') continue
  failed = true
  console.error(output.replace(/^(?!.*error TS).*\n?/gm, ''))
}
rmSync(scratch, { recursive: true })
process.exit(failed ? 1 : 0)

function compile(program) {
  const project = join(scratch, 'tsconfig.json')
  const compilerOptions = { typeRoots: [join(root, 'node_modules/@types')] }
  writeFileSync(
    project,
    JSON.stringify({ extends: join(root, 'tsconfig.base.json'), compilerOptions, files: [join(root, program)] }),
  )
  // With several threads, the native compiler counts shared types more than once.
  const options = ['--singleThreaded', '--extendedDiagnostics', '--pretty', 'false']
  const args = [join(root, 'node_modules/typescript-7/bin/tsc'), '-p', project, ...options]
  return new Promise((settle) => {
    execFile(process.execPath, args, { cwd: root, maxBuffer: 1 << 26 }, (error, stdout, stderr) => {
      settle({ code: error === null ? 0 : 1, output: stdout + stderr })
    })
  })
}
