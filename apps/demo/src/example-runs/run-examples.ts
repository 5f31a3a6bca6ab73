/** The example runs of the tour, shown after the domains in this order. */
import { approvedRun } from './approved-run.ts'
import { codeRun } from './code-run.ts'
import { killedRun } from './killed-run.ts'
import { budgetRun, stoppedRun } from './limited-runs.ts'
import type { RunExample } from './run-example.ts'

export const RUN_EXAMPLES: readonly RunExample[] = [approvedRun, budgetRun, stoppedRun, killedRun, codeRun]
