import { availableParallelism } from 'node:os'
import { setFlagsFromString } from 'node:v8'
import { defineConfig } from 'vitest/config'
import { SlowestFirst } from './scripts/slowest-first.ts'

/** Seed for property tests. Fixed, so that a failing run means that the program has changed; `pnpm fuzz properties` draws fresh cases. */
const seed = process.env.X_SEED || '20261123'
// Each project reads this file again.
if (!process.env.X_SEED_PRINTED)
  process.stderr.write(
    `Property tests: seed ${seed}. Counts: ${process.env.X_FULL ? 'full' : 'small, X_FULL=1 for full ones'}.\n`,
  )
process.env.X_SEED_PRINTED = 'yes'

// Flags for the threads that run the tests. SQLite and PGlite are WebAssembly, and most functions run only for a short time. Optimizing them
// takes longer than running them unoptimized. V8 renamed the flag for JavaScript, and no longer derives these two from `--liftoff-only` when
// that is set in a running process.
const isOld = Number.parseInt(process.versions.v8, 10) < 12
for (const flag of ['--no-wasm-tier-up', '--no-wasm-dynamic-tiering']) setFlagsFromString(flag)
setFlagsFromString(isOld ? '--interrupt-budget=500000' : '--invocation-count-for-turbofan=20000')
// Fewer garbage collections.
setFlagsFromString('--max-semi-space-size=64')

const TESTS = ['{packages,apps}/*/{src,test}/**/*.test.ts', 'scripts/**/*.test.ts']
/** Tests that start and kill many processes, or leave work behind in their thread as DBOS does: one file at a time, each in a new thread. */
const PROCESS_TESTS = '**/*.process.test.ts'
/** The process tests of DBOS, which wait for leases and servers most of the time. */
const DBOS_TESTS = 'packages/durable/src/dbos/**/*.process.test.ts'
const oneAtATime = { isolate: true, sequence: { groupOrder: 1 }, maxWorkers: 1 }

// One configuration for the whole repository: tests run from source, so nothing is built first.
export default defineConfig({
  ssr: { resolve: { conditions: ['@x/source', 'node', 'development|production'] } },
  test: {
    setupFiles: ['./scripts/test-setup.ts'],
    env: { X_SEED: seed },
    // These timeouts end tests that hang. No test relies on ending sooner: the slowest takes a third of that time on a machine with a load
    // of 40.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 300_000, interval: 20 } },
    // A process for each file costs more than the tests: they leave nothing behind, so they share threads.
    pool: 'threads',
    sequence: { sequencer: SlowestFirst },
    isolate: false,
    projects: [
      { extends: true, test: { name: 'units', include: TESTS, exclude: [PROCESS_TESTS, '**/node_modules/**'] } },
      {
        extends: true,
        test: { name: 'processes', include: [PROCESS_TESTS], exclude: [DBOS_TESTS, '**/node_modules/**'], ...oneAtATime },
      },
      { extends: true, test: { name: 'dbos', include: [DBOS_TESTS], exclude: ['**/node_modules/**'], ...oneAtATime } },
    ],
    // The other lanes of `npm test` use the cores while these workers wait. An additional worker would load all modules once more.
    maxWorkers: availableParallelism(),
  },
})
