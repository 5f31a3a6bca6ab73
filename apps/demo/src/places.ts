/** Which database a command works on, and where durable runs are kept. */
import { randomBytes } from 'node:crypto'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { UsageError } from './arguments/usage-error.ts'
import { type DatabasePlace, IN_MEMORY } from './sql/place.ts'

/** For what is asked by hand: kept from one command to the next. Throws `UsageError` when `DATABASE_URL` is no such address. */
export function keptPlace(file: string | undefined, environment: NodeJS.ProcessEnv = process.env): DatabasePlace {
  const url = file === undefined ? readURL(environment) : undefined
  if (url !== undefined) return { kind: 'postgres', url, schema: SCHEMA, isTemporary: false }
  return { kind: 'sqlite', file: file ?? KEPT_FILE }
}

/**
 * The folder of runs that are kept in files: beside the database, where that is a file. `X_RUNS` names another one. Throws `UsageError`
 * for a database that is not kept: whoever goes on with a run has to find what was done.
 */
export function runsFolder(file: string | undefined, environment: NodeJS.ProcessEnv = process.env): string {
  if (file === IN_MEMORY)
    throw new UsageError('A durable run needs a database that is kept: name a file by --db, or leave it out.')
  return environment.X_RUNS || join(dirname(file ?? KEPT_FILE), 'runs')
}

const KEPT_FILE = fileURLToPath(new URL('../.data/demo.sqlite', import.meta.url))

/** For what is measured: new and empty, and gone afterwards. Throws `UsageError` when `DATABASE_URL` is no such address. */
export function newPlace(environment: NodeJS.ProcessEnv = process.env): DatabasePlace {
  const url = readURL(environment)
  if (url === undefined) return { kind: 'sqlite', file: IN_MEMORY }
  return { kind: 'postgres', url, schema: `${SCHEMA}_${randomBytes(6).toString('hex')}`, isTemporary: true }
}

const SCHEMA = 'x_demo'

function readURL({ DATABASE_URL: url }: NodeJS.ProcessEnv): string | undefined {
  if (!url) return undefined
  if (/^postgres(?:ql)?:\/\//i.test(url) && URL.canParse(url)) return url
  throw new UsageError(
    'DATABASE_URL is no address of a PostgreSQL database. Write e.g. postgres://user:password@localhost:5432/demo',
  )
}
