/** Opens the demo's SQLite file. Marks a new file as the demo's, and refuses files of other programs. */
import { cannotOpen } from './cannot-open.ts'
import type { SqlClient, SqlExecutor } from './sql-client.ts'
import { openSqlite, type SqliteOptions } from './sqlite-client.ts'
import { TABLE_SETS } from './table-sets.ts'

/** Opens the database. If the file can't be used or isn't the demo's, rejects with `SqlError` and changes nothing. */
export async function openSqliteDatabase({ file }: SqliteOptions): Promise<SqlClient> {
  const client = await openSqlite({ file })
  try {
    await mark(client)
  } catch (error) {
    await client.close()
    throw cannotOpen(file, error)
  }
  return client
}

async function mark(client: SqlClient): Promise<void> {
  if (await isOurs(client)) return
  await client.transaction(async (executor) => {
    await executor.query(TABLE_SETS)
    await executor.query(`PRAGMA application_id = ${APPLICATION}`)
    await executor.query(`PRAGMA user_version = ${VERSION}`)
  })
}

/** The application id of the demo's files: "DEMO" in ASCII. */
const APPLICATION = 0x44454d4f
const VERSION = 1

/** Returns false for an empty database. */
async function isOurs(executor: SqlExecutor): Promise<boolean> {
  const pragma = async (name: string) => Object.values((await executor.query(`PRAGMA ${name}`))[0] ?? {})[0]
  if ((await pragma('quick_check(1)')) !== 'ok') throw new Error('the file is damaged or truncated')
  const application = await pragma('application_id')
  const version = await pragma('user_version')
  if (application === APPLICATION && version === VERSION) return true
  if (application === APPLICATION)
    throw new Error(`it was created by version ${version} of the demo, and this is version ${VERSION}`)
  const [found] = await executor.query<{ tables: number }>('SELECT count(*) AS tables FROM sqlite_master')
  if (application === 0 && version === 0 && found?.tables === 0) return false
  throw new Error('it belongs to another program; name another file with --db')
}
