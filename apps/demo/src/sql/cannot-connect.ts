/** Explains why a PostgreSQL server can't be used. */
import { SqlError } from './sql-client.ts'

/** Reasons by Node or PostgreSQL error code. */
const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ENOTFOUND: 'the host was not found',
  ETIMEDOUT: 'the server does not answer',
  '28000': 'the server rejected this user',
  '28P01': 'the server rejected this user or password',
  '3D000': 'the database does not exist',
  '42501': 'this user may not create a schema there',
  '53300': 'the server has too many connections',
  '57P03': 'the server is starting or shutting down',
}

/** Returns an error with the server and the reason, in one line, without the password. */
export function cannotConnect(url: string, failure: unknown): SqlError {
  const { host, pathname } = new URL(url)
  const code = failure instanceof Error && 'code' in failure ? String(failure.code) : ''
  const reason = REASONS[code] ?? (failure instanceof Error ? failure.message : String(failure))
  return new SqlError('cannot_open', `Cannot use the database ${pathname.slice(1)} at ${host}: ${reason}.`, failure)
}
