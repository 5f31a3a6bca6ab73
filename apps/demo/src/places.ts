/** Locates a command's database and the directory of durable runs. */
import { randomBytes } from 'node:crypto'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { UsageError } from './failure.ts'
import { type DatabasePlace, IN_MEMORY } from './sql/place.ts'

/** Returns the persistent database of interactive commands. Throws `UsageError` if `DATABASE_URL` isn't a PostgreSQL URL. */
export function keptPlace(file: string | undefined, environment: NodeJS.ProcessEnv = process.env): DatabasePlace {
  const url = file === undefined ? readURL(environment) : undefined
  if (url !== undefined) return { kind: 'postgres', url, schema: SCHEMA, isTemporary: false }
  return { kind: 'sqlite', file: file ?? KEPT_FILE }
}

/**
 * Returns the directory of file-based runs: `X_RUNS`, or else a directory beside the database file. Throws `UsageError` if the database
 * doesn't persist, because a resumed run must find its earlier effects.
 */
export function runsFolder(file: string | undefined, environment: NodeJS.ProcessEnv = process.env): string {
  if (file === IN_MEMORY) throw new UsageError('A durable run needs a database that persists. Pass a file to --db, or omit --db.')
  return environment.X_RUNS || join(dirname(file ?? KEPT_FILE), 'runs')
}

const KEPT_FILE = fileURLToPath(new URL('../.data/demo.sqlite', import.meta.url))

/** Returns a new, empty, temporary database for measurements. Throws `UsageError` if `DATABASE_URL` isn't a PostgreSQL URL. */
export function newPlace(environment: NodeJS.ProcessEnv = process.env): DatabasePlace {
  const url = readURL(environment)
  if (url === undefined) return { kind: 'sqlite', file: IN_MEMORY }
  return { kind: 'postgres', url, schema: `${SCHEMA}_${randomBytes(6).toString('hex')}`, isTemporary: true }
}

const SCHEMA = 'x_demo'

function readURL({ DATABASE_URL: url }: NodeJS.ProcessEnv): string | undefined {
  if (!url) return undefined
  if (/^postgres(?:ql)?:\/\//i.test(url) && URL.canParse(url)) return url
  throw new UsageError('DATABASE_URL must be the URL of a PostgreSQL database, e.g. postgres://user:password@localhost:5432/demo')
}
