/** The contract of the toolset on all databases. Calls the tools as a model would. */
import { callTool } from '@x/tool-core'
import { expect, it } from 'vitest'
import type { SqlClient, SqlDialect } from '../../src/database/sql-client.ts'
import { DatabaseToolset as TypedToolset } from '../../src/database.ts'
import { asLooseClass, type Loose, type LooseToolset } from '../loose.ts'
import { expectUnchanged, failure, SETUP } from './contract.ts'

/** SQL that adds another table, and names that need quotes. */
export const TOOLSET_SETUP = `${SETUP};
CREATE TABLE "odd ""name" (a INTEGER NOT NULL, b INTEGER NOT NULL, "order" TEXT, t_id INTEGER REFERENCES t(id), PRIMARY KEY (b, a));
CREATE VIEW labels AS SELECT label FROM t`

/**
 * The class without types, which are tested in `database.test-d.ts`. Its default timeout isn't reached even on a busy machine, where a database
 * in memory would be lost.
 */
export class DatabaseToolset extends asLooseClass(TypedToolset) {
  constructor(options: Loose) {
    super({ timeoutMs: 600_000, ...options })
  }
}

/** Calls a tool as a model would. Returns the output, or the error of a failed call. */
export async function call(toolset: Pick<LooseToolset, 'tools'>, name: string, args: Record<string, unknown>): Promise<unknown> {
  const tool = toolset.tools().find((candidate) => candidate.name === name)
  if (tool === undefined) throw new Error(`There is no tool ${name}.`)
  const result = await callTool(tool, { id: 'call_1', name, args })
  return result.ok ? result.output : result.error
}

const WRITES = [
  'WITH x AS (SELECT 1) DELETE FROM t',
  '/* SELECT */ DELETE FROM t',
  'EXPLAIN ANALYZE DELETE FROM t',
  'DROP TABLE t',
]
/** Statements that must be refused, each with its `reason` if that isn't `statement_not_allowed`. */
const STEERING: Readonly<Record<SqlDialect, readonly (readonly [sql: string, reason?: string])[]>> = {
  sqlite: [
    ['COMMIT'],
    ['SET TRANSACTION READ WRITE'],
    ['PRAGMA query_only=OFF'],
    ['EXPLAIN PRAGMA query_only=OFF'],
    ["ATTACH 'made-by-an-attack.db' AS m"],
    ['PRAGMA writable_schema=ON'],
    ["SELECT load_extension('x')"],
    ['SELECT "load_extension"(\'x\')'],
    ['VACUUM'],
    ["VACUUM INTO 'made-by-an-attack.db'"],
  ],
  postgres: [
    ['COMMIT'],
    ['SET TRANSACTION READ WRITE'],
    ["SELECT set_config('default_transaction_read_only', 'off', false)"],
    ["SELECT \"set_config\"('default_transaction_read_only', 'off', false)"],
    ["SELECT U&\"set\\005fconfig\"('default_transaction_read_only', 'off', false)"],
    ['PRAGMA query_only=OFF', 'sql_error'],
    ["ATTACH 'made-by-an-attack.db' AS m", 'sql_error'],
    ["LOAD 'x'"],
    ["SELECT pg_read_file('/etc/passwd')"],
    ["COPY (SELECT 1) TO PROGRAM 'true'"],
    ['COPY t TO STDOUT'],
    ["SELECT lo_export(1, '/tmp/x')"],
    ["SELECT query_to_xml('DELETE FROM t', true, true, '')"],
    ["SELECT table_to_xml('t', true, true, '')"],
    ["SELECT lowrite(1, '')"],
    ['CALL something()'],
    ["DO 'BEGIN DELETE FROM t; END'"],
    ['VACUUM'],
    ['SELECT pg_advisory_lock(1)'],
    ['SELECT pg_sleep(1)'],
    ["SELECT nextval('s')"],
    ['PREPARE p AS DELETE FROM t'],
    ['EXECUTE p'],
    ['DECLARE c CURSOR FOR SELECT 1'],
    ['LISTEN x'],
    ['LOCK t'],
    ['DISCARD ALL'],
    ['RESET ROLE'],
    ['SHOW data_directory'],
    ['GRANT ALL ON t TO PUBLIC'],
    ["CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 1'"],
    ['CREATE EXTENSION dblink'],
  ],
}
const INCOMPLETE: readonly Loose[] = [
  [{ column: 'id', operator: 'in', value: 1 }],
  [{ column: 'id', operator: '<', value: [1] }],
  [{ column: 'id' }],
]
const INJECTED = "' OR 1=1 --"

export interface ToolsetContract {
  readonly name: string
  readonly dialect: SqlDialect
  /** A client whose user has all rights. */
  readonly client: () => SqlClient
}

export function behavesAsAToolset({ name, dialect, client }: ToolsetContract): void {
  const toolset = () => new DatabaseToolset({ client: client(), access: 'execute', trusted: true, maxRows: 10 })
  const query = (sql: string, params?: unknown[]) => call(toolset(), 'database_query', { sql, ...(params && { params }) })

  it.each(WRITES)(`${name}: a query is refused %j`, async (sql) => {
    expect(await query(sql)).toMatchObject(failure('read_only_violation'))
    await expectUnchanged(client())
  })

  it.each(['COMMIT; DROP TABLE t', 'SELECT 1; DELETE FROM t', 'SET TRANSACTION READ WRITE; DELETE FROM t; COMMIT'])(
    `${name}: both tools refuse %j`,
    async (sql) => {
      for (const tool of ['database_query', 'database_execute'])
        expect(await call(toolset(), tool, { sql })).toMatchObject(failure('multi_statement'))
      await expectUnchanged(client())
    },
  )

  it(`${name}: refuses REPLACE in a query, which PostgreSQL does not have`, async () => {
    const reason = dialect === 'sqlite' ? 'read_only_violation' : 'sql_error'
    expect(await query("REPLACE INTO t VALUES (1, 'x')")).toMatchObject(failure(reason))
    await expectUnchanged(client())
  })

  it.each(STEERING[dialect])(`${name}: both tools refuse %j, and a DELETE after it`, async (sql, reason) => {
    for (const tool of ['database_query', 'database_execute'])
      expect(await call(toolset(), tool, { sql })).toMatchObject(failure(reason ?? 'statement_not_allowed'))
    expect(await query('DELETE FROM t')).toMatchObject(failure('read_only_violation'))
    await expectUnchanged(client())
  })

  it.each<Loose>([
    { table: 'users; DROP TABLE users--' },
    { table: 't; DROP TABLE t--' },
    { table: 'T"' },
    { table: '__proto__' },
    { table: 't', columns: ['id', 'label FROM t --'] },
    { table: 't', order_by: [{ column: 'id) UNION SELECT 1' }] },
    { table: 't', where: [{ column: "a') OR 1=1 --", value: 1 }] },
    { table: 't', where: [{ column: 'constructor', value: 1 }] },
  ])(`${name}: reports an unknown name: %j`, async (args) => {
    expect(await call(toolset(), 'database_select', args)).toMatchObject(failure('unknown_identifier'))
    await expectUnchanged(client())
  })

  it(`${name}: matches values literally, in a selection and in a query`, async () => {
    const where = [{ column: 'label', value: INJECTED }]
    expect(await call(toolset(), 'database_select', { table: 't', where })).toMatchObject({ rows: [] })
    expect(await query('SELECT id FROM t WHERE label = $1', [INJECTED])).toMatchObject({ rows: [] })
    expect(await query('SELECT id FROM t WHERE label = $1', ['two'])).toMatchObject({ rows: [[2]] })
  })

  it(`${name}: does not reveal a table outside its list`, async () => {
    const limited = new DatabaseToolset({ client: client(), access: 'select', tables: ['labels'] })
    expect(await call(limited, 'database_tables', {})).toMatchObject({ tables: [{ name: 'labels', kind: 'view' }] })
    for (const tool of ['database_select', 'database_describe'])
      expect(await call(limited, tool, { table: 't' })).toMatchObject(failure('unknown_identifier'))
    expect(limited.tools().map((tool) => tool.name)).toEqual(['database_tables', 'database_describe', 'database_select'])
  })

  it(`${name}: finds the tables of its list, whatever the other names are`, async () => {
    const others = ["it's", '\\"', 'a\0b', '\ud800', '{', ...Array.from({ length: 20_000 }, (_, n) => `none_${n}`)]
    const tables = ['t', ...others, 'odd "name']
    const limited = new DatabaseToolset({ client: client(), access: 'select', tables })
    expect(await call(limited, 'database_tables', {})).toMatchObject({ tables: [{ name: 'odd "name' }, { name: 't' }] })
    expect(await call(limited, 'database_describe', { table: 'a\0b' })).toMatchObject(failure('unknown_identifier'))
    const none = new DatabaseToolset({ client: client(), access: 'select', tables: [] })
    expect(await call(none, 'database_tables', {})).toMatchObject({ tables: [] })
  })

  it(`${name}: limits rows, and reports that there are more`, async () => {
    const many = 'SELECT a.id FROM t AS a, t AS b, t AS c'
    expect(await query(many)).toMatchObject({ rows: { length: 10 }, truncated: true })
    expect(await call(toolset(), 'database_select', { table: 't', limit: 2 })).toMatchObject({
      rows: { length: 2 },
      truncated: false,
    })
    const small = new DatabaseToolset({ client: client(), trusted: true, maxRows: 2 })
    expect(await call(small, 'database_select', { table: 't' })).toMatchObject({ rows: { length: 2 }, truncated: true })
  })

  it(`lists, describes and selects (${name})`, async () => {
    expect(await call(toolset(), 'database_tables', {})).toEqual({
      dialect: client().dialect,
      tables: [
        { name: 'labels', kind: 'view' },
        { name: 'odd "name', kind: 'table' },
        { name: 't', kind: 'table' },
      ],
      truncated: false,
    })
    const small = new DatabaseToolset({ client: client(), trusted: true, maxBytes: 80 })
    expect(await call(small, 'database_tables', {})).toMatchObject({
      tables: [
        { name: 'labels', kind: 'view' },
        { name: 'odd "name', kind: 'table' },
      ],
      truncated: true,
    })
    expect(await call(toolset(), 'database_describe', { table: 'odd "name' })).toEqual({
      name: 'odd "name',
      kind: 'table',
      columns: [
        { name: 'a', type: expect.stringMatching(/integer/i), nullable: false },
        { name: 'b', type: expect.stringMatching(/integer/i), nullable: false },
        { name: 'order', type: expect.stringMatching(/text/i), nullable: true },
        { name: 't_id', type: expect.stringMatching(/integer/i), nullable: true },
      ],
      primaryKey: ['b', 'a'],
      foreignKeys: ['FOREIGN KEY (t_id) REFERENCES t(id)'],
    })
    expect(await call(toolset(), 'database_select', { table: 'odd "name', columns: ['order'] })).toEqual({
      columns: ['order'],
      rows: [],
      truncated: false,
    })
  })

  it.each<Loose>([
    [[{ column: 'id', operator: '>=', value: 2 }], ['two', 'three']],
    [[{ column: 'label', operator: 'like', value: 't%' }], ['two', 'three']],
    [[{ column: 'label', operator: 'not like', value: 't%' }], ['one']],
    [[{ column: 'id', operator: 'in', value: [1, 3] }], ['one', 'three']],
    [[{ column: 'label', value: null }], []],
    [
      [
        { column: 'label', operator: '!=', value: null },
        { column: 'id', operator: '<', value: 2 },
      ],
      ['one'],
    ],
    [[{ column: 'label', operator: 'is null' }], []],
  ])(`selects where %j (${name})`, async (where, labels) => {
    const args = { table: 't', columns: ['label'], where, order_by: [{ column: 'id' }] }
    expect(await call(toolset(), 'database_select', args)).toMatchObject({ rows: labels.map((label: string) => [label]) })
  })

  it(`explains which value an operator needs (${name})`, async () => {
    for (const where of INCOMPLETE)
      expect(await call(toolset(), 'database_select', { table: 't', where })).toMatchObject(failure('sql_error'))
  })

  it(`pages by order, limit and offset (${name})`, async () => {
    const args = { table: 't', columns: ['id'], order_by: [{ column: 'id', descending: true }], limit: 1, offset: 1 }
    expect(await call(toolset(), 'database_select', args)).toMatchObject({ columns: ['id'], rows: [[2]], truncated: false })
  })

  it(`executes writes and counts them (${name})`, async () => {
    const execute = (sql: string) => call(toolset(), 'database_execute', { sql })
    expect(await execute("INSERT INTO t VALUES (4, 'four')")).toMatchObject({ changes: 1 })
    expect(await execute('DELETE FROM t WHERE id = 4')).toMatchObject({ changes: 1 })
    expect(await execute('CREATE TABLE made (a INTEGER)')).toMatchObject({ changes: 0 })
    expect(await execute('DROP TABLE made')).toMatchObject({ changes: 0 })
    for (const sql of ['CREATE TABLE IF NOT EXISTS t (a INTEGER)', 'DROP TABLE IF EXISTS made', 'DROP VIEW IF EXISTS made'])
      expect(await execute(sql)).toMatchObject({ changes: 0 })
    const trigger =
      dialect === 'sqlite'
        ? 'CREATE TRIGGER r AFTER INSERT ON t BEGIN SELECT 1'
        : 'CREATE TRIGGER r AFTER INSERT ON t EXECUTE FUNCTION f()'
    expect(await execute(trigger)).toMatchObject(failure('statement_not_allowed'))
    expect(await execute('DROP DATABASE postgres')).toMatchObject(failure('statement_not_allowed'))
    await expectUnchanged(client())
  })
}
