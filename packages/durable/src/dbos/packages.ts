/** Imports the packages that this engine needs when it is created. */
import type * as Sdk from '@dbos-inc/dbos-sdk'
import type * as Context from '@dbos-inc/dbos-sdk/internal/context'
import type { DBOSExecutor } from '@dbos-inc/dbos-sdk/internal/dbos-executor'
import type { wfQueueRunner } from '@dbos-inc/dbos-sdk/internal/wfqueue'
import type Pg from 'pg'
import { DurableError } from '../errors.ts'

export interface Packages {
  readonly sdk: typeof Sdk
  /** DBOS's internal state. Used to free the queue slot of a waiting run. */
  readonly executor: typeof DBOSExecutor
  /** The numbers that DBOS gives to a workflow's calls. Used to replay records without DBOS's queries, and to repeat a failed call. */
  readonly context: Pick<typeof Context, 'functionIDGet' | 'functionIDGetIncrement' | 'getCurrentContextStore'>
  /** DBOS's loop that takes runs from queues. Used to add a queue only while it contains runs. */
  readonly queues: Pick<typeof wfQueueRunner, 'pollerQueueNames'>
  readonly pg: typeof Pg
}

/**
 * Imports the packages. Rejects with `missing_package`. The imports are inside `try`, so that bundlers accept that a package may
 * be missing.
 */
export async function loadPackages(): Promise<Packages> {
  try {
    const sdk = await import('@dbos-inc/dbos-sdk')
    const { DBOSExecutor: executor } = await import('@dbos-inc/dbos-sdk/internal/dbos-executor')
    const context = await import('@dbos-inc/dbos-sdk/internal/context')
    const { wfQueueRunner: queues } = await import('@dbos-inc/dbos-sdk/internal/wfqueue')
    const pg = await import('pg')
    return { sdk, executor, context, queues, pg: pg.default }
  } catch (cause) {
    throw new DurableError(
      'missing_package',
      'createDbosEngine needs the packages @dbos-inc/dbos-sdk and pg, which could not be imported. Install both: npm install @dbos-inc/dbos-sdk pg',
      { cause },
    )
  }
}

/**
 * A logger that discards everything. DBOS logs every failed run and every retry. Failures are in a run's status anyway, and
 * retries are normal.
 */
export const SILENT = { info() {}, debug() {}, warn() {}, error() {} }
