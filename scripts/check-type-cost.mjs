/** Type-checks every project, and fails when the compiler instantiates more types for it than its budget. */
import { execFile } from 'node:child_process'
import { join, resolve } from 'node:path'

/**
 * Type instantiations; a generic that takes a whole schema instead of its properties costs over a million. The larger
 * packages are several projects, each with the sources that its tests or type tests import, and each under the same budget. What
 * only puts the others together (the demo's `main.ts` and `killed-program.ts`, the lab's `benches.ts`, the `test-worker.ts` of engines) is
 * checked with all the rest, in the step after this one.
 */
const BUDGETS = {
  'packages/tool-core/tsconfig.tests.json': 60_000,
  'packages/tool-core/tsconfig.call-tests.json': 60_000,
  'packages/tool-core/tsconfig.types.json': 60_000,
  'packages/toolset/tsconfig.root.json': 60_000,
  'packages/toolset/tsconfig.shipped-tests.json': 60_000,
  'packages/toolset/tsconfig.shipped-types.json': 60_000,
  'packages/toolset/tsconfig.scale.json': 60_000,
  'packages/registry/tsconfig.tests.json': 60_000,
  'packages/registry/tsconfig.types.json': 60_000,
  'packages/registry/tsconfig.search.json': 60_000,
  'packages/adapters/tsconfig.root.json': 60_000,
  'packages/adapters/tsconfig.signature-tests.json': 60_000,
  'packages/adapters/tsconfig.adapter-tests.json': 60_000,
  'packages/adapters/tsconfig.dialects.json': 60_000,
  'packages/adapters/tsconfig.dialect-tests.json': 60_000,
  'packages/adapters/tsconfig.family-tests.json': 60_000,
  'packages/adapters/tsconfig.wire.json': 60_000,
  'packages/adapters/tsconfig.wire-tests.json': 60_000,
  'packages/adapters/tsconfig.shaping-tests.json': 60_000,
  'packages/adapters/tsconfig.chat-tests.json': 60_000,
  'packages/adapters/tsconfig.block-tests.json': 60_000,
  'packages/adapters/tsconfig.other-tests.json': 60_000,
  'packages/lm/tsconfig.http.json': 60_000,
  'packages/lm/tsconfig.planner.json': 60_000,
  'packages/lm/tsconfig.wrappers.json': 60_000,
  'packages/lm/tsconfig.rescue.json': 60_000,
  'packages/lm/tsconfig.ai-sdk.json': 60_000,
  'packages/react-agent/tsconfig.native.json': 60_000,
  'packages/react-agent/tsconfig.loop-tests.json': 60_000,
  'packages/react-agent/tsconfig.adapter-tests.json': 60_000,
  'packages/react-agent/tsconfig.text-tests.json': 60_000,
  'packages/react-agent/tsconfig.task-tests.json': 60_000,
  'packages/react-agent/tsconfig.search-tests.json': 60_000,
  'packages/react-agent/tsconfig.approval-tests.json': 60_000,
  'packages/react-agent/tsconfig.policy-tests.json': 60_000,
  'packages/react-agent/tsconfig.journal-tests.json': 60_000,
  'packages/react-agent/tsconfig.predict-tests.json': 60_000,
  'packages/react-agent/tsconfig.repair-tests.json': 60_000,
  'packages/react-agent/tsconfig.module-tests.json': 60_000,
  'packages/react-agent/tsconfig.module-types.json': 60_000,
  'packages/react-agent/tsconfig.selector-tests.json': 60_000,
  'packages/otel/tsconfig.types.json': 60_000,
  'packages/otel/tsconfig.run-tests.json': 60_000,
  'packages/otel/tsconfig.telemetry-tests.json': 60_000,
  'packages/otel/tsconfig.lm-tests.json': 60_000,
  'packages/durable/tsconfig.root.json': 60_000,
  'packages/durable/tsconfig.dbos.json': 60_000,
  'packages/durable/tsconfig.restate.json': 60_000,
  'packages/durable/tsconfig.agents.json': 60_000,
  'packages/durable/tsconfig.types.json': 60_000,
  'packages/durable/tsconfig.replay-tests.json': 60_000,
  'apps/demo/tsconfig.program.json': 100_000,
  'apps/demo/tsconfig.lm.json': 100_000,
  'apps/demo/tsconfig.runs.json': 100_000,
  'apps/demo/tsconfig.durable.json': 100_000,
  'apps/demo/tsconfig.durable-tests.json': 100_000,
  'apps/demo/tsconfig.tests.json': 100_000,
  'apps/demo/tsconfig.command-tests.json': 100_000,
  'apps/demo/tsconfig.tour-tests.json': 100_000,
  'apps/demo/tsconfig.domains.json': 100_000,
  'apps/lab/tsconfig.shared.json': 100_000,
  'apps/lab/tsconfig.agents.json': 100_000,
  'apps/lab/tsconfig.peer-benches.json': 100_000,
  'apps/lab/tsconfig.durable-bench.json': 100_000,
  'apps/lab/tsconfig.clients.json': 100_000,
  'apps/lab/tsconfig.conformance.json': 100_000,
  'apps/lab/tsconfig.conformance-tests.json': 100_000,
  'apps/lab/tsconfig.suite-tests.json': 100_000,
  'apps/lab/tsconfig.shaping-tests.json': 100_000,
  'apps/lab/tsconfig.property-tests.json': 100_000,
  'apps/lab/tsconfig.wire-tests.json': 100_000,
  'apps/lab/tsconfig.ai-sdk.json': 100_000,
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
  const args = [compiler, '-p', join(root, project), ...options]
  return new Promise((settle) => {
    execFile(process.execPath, args, { cwd: root, maxBuffer: 1 << 26 }, (error, stdout, stderr) => {
      settle({ code: error === null ? 0 : 1, output: stdout + stderr })
    })
  })
}
