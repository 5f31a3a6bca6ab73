/** Says in plain words why a PostgreSQL server cannot be used. */
import { SqlError } from './sql-client.ts'

/** By the code of Node or of PostgreSQL. */
const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'there is no such host',
  ETIMEDOUT: 'it does not answer',
  '28000': 'it does not accept this user',
  '28P01': 'it does not accept this user and password',
  '3D000': 'there is no such database',
  '42501': 'this user may not make a schema there',
  '53300': 'it has no connection left',
  '57P03': 'it is just starting or stopping',
}

/** The error names the server and the reason, in one line, and never the password. */
export function cannotConnect(url: string, failure: unknown): SqlError {
  const { host, pathname } = new URL(url)
  const code = failure instanceof Error && 'code' in failure ? String(failure.code) : ''
  const reason = REASONS[code] ?? (failure instanceof Error ? failure.message : String(failure))
  return new SqlError('cannot_open', `Cannot use the database ${pathname.slice(1)} at ${host}: ${reason}.`, failure)
}
