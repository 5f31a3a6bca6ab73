/** Orders test files. A file that takes long must not be the last to start, because the other workers would then wait for it. */
import type { TestSpecification } from 'vitest/node'
import { BaseSequencer } from 'vitest/node'

/** The files that take longest with full counts, slowest first. Vitest doesn't know how long a file takes in a new clone. */
export const SLOWEST = [
  'packages/durable/src/engine/nested-schedules.property.test.ts',
  'packages/code/src/random-programs.property.test.ts',
  'apps/lab/src/fuzz/sql/sql-writes-target.test.ts',
  'apps/lab/src/fuzz/patterns/patterns-target.test.ts',
  'packages/adapters/src/dialects/contract-1.test.ts',
  'packages/adapters/src/dialects/contract-2.test.ts',
  'packages/adapters/src/dialects/contract-3.test.ts',
  'packages/adapters/src/dialects/contract-4.test.ts',
  'packages/toolset/src/database/pglite/pglite.test.ts',
  'apps/demo/src/commands/runs.test.ts',
  'apps/demo/src/commands/eval-everywhere.test.ts',
  'packages/code/src/sandbox/hostile.test.ts',
  'packages/react-agent/src/approval/shown.test.ts',
  'packages/adapters/src/dialects/linear.test.ts',
  'packages/adapters/src/wire/contract.test.ts',
]

export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rankOf = ({ moduleId }: TestSpecification) => {
      const rank = SLOWEST.findIndex((path) => moduleId.endsWith(path))
      return rank < 0 ? SLOWEST.length : rank
    }
    return (await super.sort(files)).sort((one, other) => rankOf(one) - rankOf(other))
  }
}
