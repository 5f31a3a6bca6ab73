/** The packages that this engine needs, loaded when it is created. */
import type * as Sdk from '@dbos-inc/dbos-sdk'
import type Pg from 'pg'
import { DurableError } from '../errors.ts'

export interface Packages {
  readonly sdk: typeof Sdk
  readonly pg: typeof Pg
}

/** Rejects with `missing_package`. */
export async function loadPackages(): Promise<Packages> {
  const sdk = await load('@dbos-inc/dbos-sdk', () => import('@dbos-inc/dbos-sdk'))
  const pg = await load('pg', () => import('pg'))
  return { sdk, pg: pg.default }
}

async function load<Module>(name: string, load: () => Promise<Module>): Promise<Module> {
  try {
    return await load()
  } catch (cause) {
    const words = `createDbosEngine: the package "${name}" cannot be loaded. Install both: npm install @dbos-inc/dbos-sdk pg`
    throw new DurableError('missing_package', words, { cause })
  }
}

/** DBOS says every failed run and every retry on the console; a run's failure is in its status, and retries are what it is for. */
export const SILENT = { info() {}, debug() {}, warn() {}, error() {} }
