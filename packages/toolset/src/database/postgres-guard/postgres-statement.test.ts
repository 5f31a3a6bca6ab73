import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { anyCharacter } from '../../../../../scripts/any-character.ts'
import { failure } from '../../../test/database/contract.ts'
import { createPostgresParser, type PostgresParser } from './postgres-parser.ts'
import { readStatement } from './postgres-statement.ts'

const parser = createPostgresParser(new URL('./postgres-parser-worker.js', import.meta.url)) as PostgresParser
afterAll(() => parser.close())

const check = async (sql: string, readOnly = true, timeoutMs = 100_000) =>
  readStatement(await parser.parse({ sql, timeoutMs }), { readOnly, functions: new Set(['area_of', 'crm.area_of']) })

const READING = [
  'SELECT 1',
  'select 1;',
  '(SELECT 1) UNION ALL (SELECT 2 EXCEPT SELECT 3) ORDER BY 1 LIMIT 5 OFFSET 2',
  'TABLE t',
  "VALUES (1, NULL), (2, 'x')",
  'SHOW search_path',
  'EXPLAIN (ANALYZE, COSTS off, FORMAT json) SELECT * FROM t',
  'WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SEARCH DEPTH FIRST BY n SET o CYCLE n SET s USING p SELECT * FROM c',
  'SELECT DISTINCT ON (a) a, b AS "odd name" FROM t AS x (a, b) WHERE a > $1 AND NOT b IS NULL OR c IS TRUE',
  "SELECT o.id, c.name FROM orders o LEFT JOIN customers c USING (id) WHERE c.name ILIKE '%a%' ESCAPE '#'",
  'SELECT count(*) FILTER (WHERE a) OVER w, sum(DISTINCT b) FROM t GROUP BY ROLLUP (a), CUBE (b) HAVING count(*) > 1 WINDOW w AS (PARTITION BY a ORDER BY b ROWS 2 PRECEDING)',
  'SELECT string_agg(a, $$, $$ ORDER BY a DESC NULLS LAST), percentile_cont(0.5) WITHIN GROUP (ORDER BY b), grouping(a) FROM t GROUP BY a',
  "SELECT extract(year FROM d), d AT TIME ZONE 'utc', trim(both 'x' FROM a), substring(a FROM 2 FOR 3), position('a' IN b), overlay(a PLACING b FROM 1)",
  "SELECT a SIMILAR TO 'x', a BETWEEN 1 AND 2, a NOT BETWEEN SYMMETRIC 1 AND 2, a IN (1, 2), a = ANY (ARRAY[1]), a IS DISTINCT FROM b, nullif(a, b)",
  'SELECT coalesce(a, b), greatest(a, b), CASE a WHEN 1 THEN 2 ELSE 3 END, (a, b) = (1, 2), ROW(1, 2), a OPERATOR(pg_catalog.+) b',
  "SELECT a::int, CAST(b AS varchar(3)), date '2026-01-01', interval '1 day', c::text[], '{}'::jsonb -> 'a' ->> 0, a[1:2], (a).b, (f.b).*",
  'SELECT EXISTS (SELECT 1), (SELECT 2), a > ALL (SELECT 3), current_date, current_user, ARRAY(SELECT 1)',
  'SELECT * FROM generate_series(1, 3) WITH ORDINALITY AS g (n, i), LATERAL (SELECT n) AS x, ROWS FROM (unnest(a), jsonb_each(b)) AS y',
  'SELECT * FROM json_to_recordset($1) AS r (a int, b text)',
  'SELECT * FROM t TABLESAMPLE bernoulli (10) REPEATABLE (1)',
  "SELECT json_object('a': 1), json_value(a, '$.x' RETURNING int), json_objectagg(a: b), a IS JSON FROM json_table('{}', '$' COLUMNS (a int PATH '$.a')) AS j",
  'SELECT make_interval(days => 1), concat(VARIADIC ARRAY[1]), pg_catalog.lower(a) COLLATE "C", area_of(a), crm.area_of(a)',
  "SELECT 1 /* pg_read_file('x') */, 'pg_read_file(1)' -- lo_export(1)",
]

const WRITING = [
  'INSERT INTO t (a, b) VALUES ($1, DEFAULT) ON CONFLICT (a) WHERE a > 1 DO UPDATE SET b = excluded.b RETURNING *',
  'UPDATE t SET (a, b) = (SELECT 1, 2), c = lower(d) FROM u WHERE t.id = u.id',
  'DELETE FROM t USING u WHERE t.id = u.id RETURNING t.id',
  'WITH d AS (DELETE FROM t RETURNING *) SELECT * FROM d',
  'MERGE INTO t USING u ON t.a = u.a WHEN MATCHED THEN DELETE WHEN NOT MATCHED THEN INSERT VALUES (1)',
  'TRUNCATE t, u RESTART IDENTITY',
  "CREATE TABLE x (id bigserial PRIMARY KEY, a text NOT NULL DEFAULT lower('A') CHECK (a <> ''), b int REFERENCES t (id) ON DELETE CASCADE, UNIQUE (a, b), EXCLUDE USING gist (b WITH =))",
  'CREATE TABLE x (id int GENERATED ALWAYS AS IDENTITY (START 5 INCREMENT BY 2), d date) PARTITION BY RANGE (d)',
  "CREATE TABLE x PARTITION OF y FOR VALUES FROM ('2026-01-01') TO (MAXVALUE)",
  'CREATE TABLE x (LIKE y INCLUDING ALL)',
  'CREATE TABLE IF NOT EXISTS x AS SELECT * FROM t',
  'SELECT 1 AS a INTO x',
  'CREATE UNIQUE INDEX i ON t USING btree (lower(a) text_pattern_ops DESC) INCLUDE (b) WHERE a > 1',
  'CREATE OR REPLACE VIEW v WITH (security_barrier) AS SELECT * FROM t WITH CHECK OPTION',
  'ALTER TABLE t ADD COLUMN b int DEFAULT 1, ALTER c TYPE text USING c::text, DROP CONSTRAINT d',
  'ALTER TABLE t RENAME COLUMN a TO b',
  'ALTER VIEW v RENAME TO w',
  'DROP TABLE IF EXISTS a, b.c RESTRICT',
  'EXPLAIN ANALYZE DELETE FROM t',
  'SELECT * FROM t FOR UPDATE OF t SKIP LOCKED',
]

const REFUSED = [
  // Statements that attackers in a test got past a scanner of the text.
  "SELECT 1 --\r, pg_read_file('/etc/hostname')",
  "SELECT $\u00a0$ ' $\u00a0$, pg_read_file('x')",
  "SELECT $\ufeff$ ' $\ufeff$, pg_read_file('x')",
  "SELECT pg_read_file('x')",
  "SELECT word FROM ts_stat($q$SELECT to_tsvector('simple', pg_read_file('x'))$q$)",
  "SELECT ts_rewrite('a'::tsquery, $q$SELECT 'a'::tsquery, 'b'::tsquery$q$)",
  "SELECT * FROM crosstab($q$SELECT 'a','b',1$q$) AS ct(a text, b text)",
  "SELECT dblink_exec('dbname=shop', 'DELETE FROM orders')",
  'SELECT 1 --\r, pg_advisory_lock(1)',
  "SELECT 1 --\r, lo_export(4242, '/pglite/data/PG_VERSION')",
  'SELECT U&"pg\\005fread_file"(\'x\')',
  "SELECT pg_notify('a', 'b')",
  "SELECT nextval('s')",
  'SELECT pg_sleep(100)',
  // Every place where a statement can contain a call.
  "SELECT 1 FROM t WHERE pg_read_file('x') = 'a'",
  'SELECT 1 ORDER BY pg_sleep(1)',
  'SELECT 1 LIMIT (SELECT pg_backend_pid())',
  'SELECT 1 GROUP BY GROUPING SETS ((pg_sleep(1)))',
  'SELECT sum(1) OVER (ORDER BY pg_sleep(1))',
  'SELECT count(*) FILTER (WHERE pg_try_advisory_lock(1)) FROM t',
  'SELECT (CASE WHEN true THEN pg_sleep(1) END)',
  'SELECT ARRAY[pg_sleep(1)], a[pg_backend_pid()]',
  'VALUES (pg_sleep(1))',
  'SELECT * FROM ROWS FROM (lower($1), pg_ls_dir($2))',
  'SELECT * FROM t JOIN u ON pg_try_advisory_lock(1)',
  'WITH a AS (SELECT pg_sleep(1)) SELECT * FROM a',
  'SELECT * FROM t TABLESAMPLE system (pg_backend_pid())',
  'SELECT * FROM t TABLESAMPLE own_method (1)',
  "SELECT json_object('a': pg_sleep(1))",
  "SELECT json_value('{}', '$' DEFAULT pg_sleep(1) ON EMPTY)",
  'EXPLAIN SELECT pg_sleep(1)',
  // Names in other schemas, and operators that aren't PostgreSQL's own.
  'SELECT public.lower(a)',
  'SELECT pg_temp.lower(a)',
  'SELECT other.crm.area_of(a)',
  'SELECT a OPERATOR(public.+) b',
  'SELECT a <<<>>> b',
  'SELECT 1 ORDER BY a USING <<<>>>',
  'SELECT a <<<>>> ANY (SELECT 1)',
  // Statements that control the session or the server, or execute text.
  ...[
    'COPY t TO STDOUT',
    "COPY (SELECT 1) TO PROGRAM 'true'",
    "DO 'x'",
    'CALL p()',
    "LOAD 'x'",
    'SET search_path = x',
    'RESET ROLE',
  ],
  ...[
    'SET TRANSACTION READ WRITE',
    'SET ROLE x',
    'BEGIN',
    'COMMIT',
    'SAVEPOINT a',
    'PREPARE p AS SELECT 1',
    'EXECUTE p',
    'EXPLAIN EXECUTE p',
  ],
  ...[
    'DECLARE c CURSOR FOR SELECT 1',
    'FETCH c',
    'LISTEN a',
    'NOTIFY a',
    'LOCK t',
    'VACUUM',
    'ANALYZE t',
    'CHECKPOINT',
    'DISCARD ALL',
  ],
  ...['CREATE FUNCTION f() RETURNS int LANGUAGE sql RETURN 1', 'CREATE EXTENSION dblink', 'CREATE ROLE r', 'GRANT ALL ON t TO r'],
  ...[
    'CREATE TRIGGER r AFTER INSERT ON t EXECUTE FUNCTION f()',
    'CREATE RULE r AS ON SELECT TO t DO INSTEAD SELECT 1',
    'CREATE SCHEMA s',
  ],
  ...[
    'CREATE DOMAIN d AS int CHECK (pg_sleep(1) IS NULL)',
    'CREATE TYPE e AS ENUM ()',
    'CREATE SEQUENCE s',
    'REFRESH MATERIALIZED VIEW v',
  ],
  ...[
    'CREATE FOREIGN TABLE f (a int) SERVER s',

    'SHOW ALL',
  ],
  ...['SHOW data_directory', 'REINDEX TABLE t', 'CLUSTER t', 'COMMENT ON TABLE t IS $$x$$', "SECURITY LABEL ON TABLE t IS 'x'"],
  ...['ALTER SYSTEM SET a = 1', 'ALTER ROLE r SUPERUSER', 'ALTER DATABASE d SET a = 1', 'ALTER TABLE t SET SCHEMA s'],
]

/** Statements that are refused even with write access. */
const REFUSED_WRITES = [
  ...['CREATE MATERIALIZED VIEW v AS SELECT 1', 'DROP FUNCTION f', 'DROP SCHEMA s'],
  ...['DROP TABLE t CASCADE', 'DROP VIEW IF EXISTS v CASCADE', 'DROP INDEX i CASCADE', 'ALTER TABLE t DROP COLUMN a CASCADE'],
  'ALTER TABLE t ADD b int, DROP CONSTRAINT c CASCADE',
  'TRUNCATE t CASCADE',
  'CREATE TEMP TABLE x (a int)',
  'CREATE TEMP TABLE x AS SELECT 1',
  'CREATE TABLE x (a int) TABLESPACE other',
  'CREATE TABLE x (a int DEFAULT pg_backend_pid())',
  'CREATE TABLE x (a int CHECK (pg_try_advisory_lock(a)))',
  'CREATE TABLE x (a int GENERATED ALWAYS AS (pg_sleep(1)) STORED)',
  'CREATE TABLE x (a int, EXCLUDE USING gist (a WITH <<<>>>))',
  'CREATE TABLE x PARTITION OF y FOR VALUES IN (pg_backend_pid())',
  'CREATE INDEX i ON t (pg_sleep(a))',
  'CREATE INDEX i ON t (a) WHERE pg_try_advisory_lock(a)',
  'CREATE VIEW v AS SELECT pg_sleep(1)',
  'CREATE TABLE x (a int GENERATED ALWAYS AS IDENTITY (SEQUENCE NAME pg_catalog.t))',
  'CREATE TABLE x (a int GENERATED ALWAYS AS IDENTITY (OWNED BY pg_class.oid))',
  'ALTER TABLE t OWNER TO x',
  'ALTER TABLE t DISABLE TRIGGER ALL',
  'ALTER TABLE t DISABLE ROW LEVEL SECURITY',
  'ALTER TABLE t SET TABLESPACE other',
  'ALTER TABLE t ALTER a TYPE int USING pg_backend_pid()',
  'ALTER SEQUENCE s RENAME TO x',
  'INSERT INTO t VALUES (1) ON CONFLICT (a) DO UPDATE SET a = pg_backend_pid()',
  'INSERT INTO t VALUES (1) RETURNING pg_sleep(1)',
  'UPDATE t SET a = pg_sleep(1)',
  'DELETE FROM t WHERE CURRENT OF c',
  'MERGE INTO t USING u ON pg_try_advisory_lock(1) WHEN MATCHED THEN DELETE',
  'UPDATE pg_authid SET rolsuper = true',
  'CREATE VIEW v AS SELECT * FROM pg_authid',
  'CREATE VIEW v AS SELECT * FROM t WHERE EXISTS (SELECT FROM pg_catalog.pg_settings)',
  'INSERT INTO pg_catalog.pg_proc VALUES (1)',
  'DELETE FROM information_schema.sql_features',
  'WITH d AS (DELETE FROM pg_class RETURNING 1) SELECT * FROM d',
]

/** Every place where a statement names a relation other than to read it. `$$` stands for the name. */
const TARGETS = [
  ...[
    'INSERT INTO $$ VALUES (1)',
    'UPDATE $$ SET a = 1',
    'DELETE FROM $$',
    'MERGE INTO $$ USING t ON true WHEN MATCHED THEN DELETE',
  ],
  ...[
    'TRUNCATE t, $$',
    'SELECT 1 INTO $$',
    'CREATE TABLE $$ AS SELECT 1',
    'CREATE VIEW $$ AS SELECT 1',
    'CREATE TABLE $$ (a int)',
  ],
  ...['CREATE TABLE x (a int) INHERITS (t, $$)', 'CREATE TABLE x PARTITION OF $$ DEFAULT', 'CREATE TABLE x (LIKE $$)'],
  ...['CREATE TABLE x (a int REFERENCES $$ (a))', 'CREATE TABLE x (a int, FOREIGN KEY (a) REFERENCES $$)'],
  ...['ALTER TABLE t ADD FOREIGN KEY (a) REFERENCES $$', 'ALTER TABLE t ADD COLUMN b int REFERENCES $$'],
  ...['CREATE INDEX i ON $$ (a)', 'CREATE UNIQUE INDEX ON ONLY $$ (a)', 'CREATE VIEW v AS SELECT * FROM $$'],
  ...['CREATE VIEW v AS SELECT 1 WHERE EXISTS (SELECT FROM t JOIN $$ ON true)', 'CREATE VIEW v AS WITH x AS (TABLE $$) TABLE x'],
  ...['ALTER TABLE $$ ADD COLUMN b int', 'ALTER VIEW $$ ALTER COLUMN a SET DEFAULT 1'],
  ...['ALTER TABLE $$ RENAME TO x', 'ALTER VIEW $$ RENAME TO x', 'ALTER INDEX $$ RENAME TO x', 'ALTER TABLE $$ RENAME a TO b'],
  ...['ALTER VIEW $$ RENAME COLUMN a TO b', 'ALTER TABLE $$ RENAME CONSTRAINT a TO b'],
  ...['DROP TABLE IF EXISTS t, $$', 'DROP VIEW $$ RESTRICT', 'DROP INDEX $$'],
  ...[
    'SELECT * FROM $$ FOR UPDATE',
    'SELECT 1 FROM t, (SELECT 1 FROM $$ FOR SHARE) AS x',
    'WITH x AS (TABLE $$) SELECT * FROM t, x FOR UPDATE',
  ],
  ...[
    'WITH x AS (DELETE FROM $$ RETURNING 1) TABLE x',
    'EXPLAIN ANALYZE UPDATE $$ SET a = 1',
    'INSERT INTO t SELECT 1 FROM $$ FOR UPDATE',
  ],
]
const SYSTEM = [
  'pg_proc',
  'pg_catalog.pg_settings',
  '"pg_catalog"."any"',
  'pg_toast.pg_toast_1255',
  'pg_temp.x',
  'information_schema.tables',
]

/** Statements in which the same relations may be read. */
const SOURCES = [
  ...['SELECT * FROM $$', 'SELECT * FROM t LEFT JOIN $$ AS x ON true', 'SELECT 1 FROM t WHERE EXISTS (TABLE $$)', 'TABLE $$'],
  ...[
    'INSERT INTO t SELECT 1 FROM $$',
    'UPDATE t SET a = 1 FROM $$ AS x',
    'DELETE FROM t USING $$ AS x',
    'CREATE TABLE x AS TABLE $$',
  ],
  ...['MERGE INTO t USING $$ AS x ON true WHEN MATCHED THEN DELETE', 'SELECT * FROM $$ TABLESAMPLE system (1)'],
]

describe("a statement, checked by PostgreSQL's own syntax tree", () => {
  it.each(READING)('is allowed to read: %s', async (sql) => {
    await check(sql)
    await check(sql, false)
  })

  it.each(WRITING)('is allowed to write, but refused if only reading is allowed: %s', async (sql) => {
    await check(sql, false)
    await expect(check(sql)).rejects.toMatchObject(failure('read_only_violation'))
  })

  it.each(REFUSED)('is refused: %j', async (sql) => {
    for (const readOnly of [true, false])
      await expect(check(sql, readOnly)).rejects.toMatchObject(failure('statement_not_allowed'))
  })

  it.each(REFUSED_WRITES)('is refused even with write access: %s', async (sql) => {
    await expect(check(sql, false)).rejects.toMatchObject(failure('statement_not_allowed'))
  })

  it.each(TARGETS)('is refused for each relation of PostgreSQL itself, but not for another: %s', async (sql) => {
    for (const name of SYSTEM)
      await expect(
        check(
          sql.replace('$$', () => name),
          false,
        ),
      ).rejects.toMatchObject(failure('statement_not_allowed'))
    for (const name of ['t', 'x.pg_proc', '"PG_PROC"', 'pgbench', 'x.information_schema'])
      await check(
        sql.replace('$$', () => name),
        false,
      )
  })

  it('is refused if it gives a relation a name that PostgreSQL itself uses', async () => {
    for (const sql of ['ALTER TABLE t RENAME TO pg_roles', 'ALTER VIEW s.v RENAME TO pg_settings'])
      await expect(check(sql, false)).rejects.toMatchObject(failure('statement_not_allowed'))
    await check('ALTER TABLE t RENAME a TO pg_roles', false)
    await check('ALTER TABLE t RENAME CONSTRAINT a TO pg_roles', false)
  })

  it('is reported with the relations that it does not only read', async () => {
    const names = async (sql: string) => (await check(sql, false)).relations.map((parts) => parts.join('.')).sort()
    expect(await names('SELECT * FROM t, s.u')).toEqual([])
    expect(await names('INSERT INTO s.t SELECT * FROM u')).toEqual(['s.t'])
    expect(await names('CREATE VIEW v AS SELECT * FROM t, s.u')).toEqual(['s.u', 't', 'v'])
    expect(await names('DROP TABLE t, s."U"')).toEqual(['s.U', 't'])
    expect(await names('ALTER TABLE s.t RENAME TO u')).toEqual(['s.t', 'u'])
  })

  it.each(SOURCES)('is allowed to read the relations of PostgreSQL itself: %s', async (sql) => {
    for (const name of SYSTEM)
      await check(
        sql.replace('$$', () => name),
        false,
      )
  })

  it.each(['SELEC 1', "SELECT '", 'SELECT 1 +', 'PRAGMA x', '', ' ; ', '-- nothing', 'SELECT 1\0; DELETE FROM t'])(
    'is refused if it is not valid for PostgreSQL: %j',
    async (sql) => {
      await expect(check(sql)).rejects.toMatchObject(failure('sql_error'))
    },
  )

  it.each(['SELECT 1; SELECT 2', 'COMMIT; DROP TABLE t', 'SELECT 1 --\r; DELETE FROM t'])(
    'is refused if it is not a single one: %j',
    async (sql) => {
      await expect(check(sql)).rejects.toMatchObject(failure('multi_statement'))
    },
  )

  it.each([
    ["SELECT ('PG_VERSION'::text).pg_read_file", ['pg_read_file'], []],
    ["SELECT x.pg_read_file FROM lower('A') AS x", ['pg_read_file'], []],
    ['SELECT t.id, s.t.name, (c).length, (c).lower.sly FROM t ORDER BY t.late', ['id', 't', 'sly', 'late'], []],
    ['SELECT plain, t.*, (t).*', [], []],
    ["SELECT 'a'::status, CAST(b AS crm.kind[]), c::text, d::area_of", [], ['status', 'kind']],
    [`SELECT t.${'x'.repeat(70)}`, ['x'.repeat(63)], []],
  ])('is reported with the names that only the database can resolve: %s', async (sql, attributes, types) => {
    const open = await check(sql)
    expect([...open.attributes].sort()).toEqual([...attributes].sort())
    expect([...open.types].sort()).toEqual([...types].sort())
  })

  it.each([
    ['brackets', `SELECT ${'('.repeat(45_000)}1${')'.repeat(45_000)}`, 'sql_error'],
    ['a sum', `SELECT 1${'+1'.repeat(49_000)}`, 'too_large'],
    ['casts', `SELECT 1${'::int'.repeat(19_000)}`, 'too_large'],
    ['comments in comments', `SELECT ${'/*'.repeat(49_000)}`, 'timeout'],
    ['length', `SELECT ${'1,'.repeat(50_000)}1`, 'too_large'],
  ])('is stopped in time, and the next one is read, however deep its %s', async (_name, sql, reason) => {
    await expect(check(sql, true, reason === 'timeout' ? 300 : 100_000)).rejects.toMatchObject(failure(reason))
    await check('SELECT 1')
  })

  it('is accepted, or refused with a reason, whatever its text', async () => {
    const piece = fc.constantFrom(
      ...[
        'SELECT',
        'FROM t',
        'WITH x AS (',
        ')',
        '(',
        ',',
        '*',
        'DELETE FROM t',
        'pg_read_file',
        "('x')",
        '::text',
        '.',
        '"',
        "'",
        '$$',
        '$a$',
      ],
      ...[
        '--',
        '\r',
        '\n',
        '/*',
        '*/',
        "E'\\'",
        'U&"',
        '$1',
        ';',
        '\u00a0',
        '\ufeff',
        '\ud800',
        '=',
        '+',
        'AS x',
        'lower',
        '[1]',
        '__proto__',
      ],
    )
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(piece, fc.string({ unit: anyCharacter })), { maxLength: 12 }), async (pieces) => {
        await check(pieces.join(' ')).catch((error) => expect(error).toMatchObject({ code: 'execution_failed' }))
      }),
      { numRuns: process.env.X_FULL ? 3000 : 300 },
    )
  })
})
