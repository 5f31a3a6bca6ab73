/**
 * Lets the newest version that has workers take the runs that were started without a version. DBOS reserves these runs for the
 * version that was registered last, even if it has been rolled back and has no workers.
 */
import type Pg from 'pg'
import type { Names } from './names.ts'
import { lockKey } from './owner-lock.ts'

/** Returns the key of the lock that all workers of a version share. It is free if the version has no workers. */
export function versionKey(version: string): string {
  return lockKey(`version ${version}`)
}

/** Resolves to true if runs without a version should go to this version, and DBOS reserves them for another one. */
export async function isNext(session: Pg.Client, names: Names, version: string): Promise<boolean> {
  // Like the query with which DBOS finds the version that takes these runs.
  const last = `SELECT version_name FROM dbos.application_versions WHERE ${IS_OWN} ORDER BY version_timestamp DESC LIMIT 1`
  const { rows: lasts } = await session.query(last, [names.application])
  if (lasts[0]?.version_name === version) return false
  const newer = `SELECT version_name FROM dbos.application_versions WHERE ${IS_OWN} AND (created_at, version_name) >
    (SELECT created_at, version_name FROM dbos.application_versions WHERE application_name = $1 AND version_name = $2)
    ORDER BY created_at DESC`
  const { rows } = await session.query(newer, [names.application, version])
  for (const row of rows) if (await hasWorkers(session, row.version_name)) return false
  return true
}

/** Makes DBOS reserve runs without a version for this version. */
export async function promote(session: Pg.Client, names: Names, version: string): Promise<void> {
  const statement = `UPDATE dbos.application_versions SET version_timestamp =
      (SELECT max(version_timestamp) + 1 FROM dbos.application_versions WHERE ${IS_OWN})
    WHERE application_name = $1 AND version_name = $2`
  await session.query(statement, [names.application, version])
}

const IS_OWN = '(application_name = $1 OR application_name IS NULL)'

async function hasWorkers(session: Pg.Client, version: string): Promise<boolean> {
  const key = [versionKey(version)]
  const { rows } = await session.query('SELECT pg_try_advisory_lock($1) AS taken', key)
  if (!rows[0].taken) return true
  await session.query('SELECT pg_advisory_unlock($1)', key)
  return false
}
