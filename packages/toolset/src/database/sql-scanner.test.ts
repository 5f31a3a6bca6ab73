import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { scanSql } from './sql-scanner.ts'
import { assertAllowed, verbOf } from './statement-guard.ts'

const count = (sql: string, dialect: 'sqlite' | 'postgres' = 'postgres') => scanSql(sql, dialect).statements

describe('scanSql', () => {
  it.each([
    ['', 0],
    [' ;; -- ;\n/* ; */ ;', 0],
    ['SELECT 1', 1],
    ['SELECT 1;', 1],
    [';;SELECT 1;;', 1],
    ['SELECT 1; -- end', 1],
    ['SELECT 1;SELECT 2', 2],
    ["SELECT ';' || 'it''s; ';", 1],
    ['SELECT "a;b", "c"";d"', 1],
    ['SELECT 1 -- ; SELECT 2', 1],
    ['SELECT 1 -- ;\n; SELECT 2', 2],
    ['SELECT 1 /* ; */', 1],
    ["SELECT '", 1],
    ['SELECT $1; x', 2],
    ['SELECT a::text; x', 2],
  ])('counts the statements of %j alike in both dialects', (sql, statements) => {
    expect(count(sql)).toBe(statements)
    expect(count(sql, 'sqlite')).toBe(statements)
  })

  it.each([
    ['SELECT $$ ; $$', 1, 2],
    ['SELECT $a$ ; $b$ ; $a$', 1, 3],
    ['SELECT $a$ ; $a$; x', 2, 3],
    ["SELECT E'\\'; '", 1, 2],
    ["SELECT '\\'; x", 2, 2],
    ['/* /* */ ; */ SELECT 1', 1, 1],
    ['SELECT [a;b]', 2, 1],
    ['SELECT `a;b`', 2, 1],
  ])('reads %j as each dialect does', (sql, postgres, sqlite) => {
    expect([count(sql, 'postgres'), count(sql, 'sqlite')]).toEqual([postgres, sqlite])
  })

  it('finds calls, also of quoted names and behind comments, and not in text', () => {
    const { calls } = scanSql('SELECT Lo_Export(1), pg."pg_read_file" /**/ (2), \'set_config(3)\', dblink', 'postgres')
    expect([...calls]).toEqual(['lo_export', 'pg_read_file'])
  })

  it('finds placeholders outside quotes', () => {
    expect(scanSql('SELECT ?, ?2, $1, \'$2\', "?", :a, @b, x -- ?', 'sqlite').placeholders).toEqual(['?', '?2', '$1', ':a', '@b'])
    expect(scanSql('SELECT $1, a::text, $$ $2 $$', 'postgres').placeholders).toEqual(['$1'])
  })

  it.each([
    ['EXPLAIN (ANALYZE, COSTS off) DELETE FROM t', 'DELETE'],
    ['explain query plan pragma x', 'PRAGMA'],
    ['EXPLAIN ANALYZE VERBOSE SELECT 1', 'SELECT'],
    ['/* x */ (SELECT 1)', 'SELECT'],
    ['-- SELECT\nCOMMIT', 'COMMIT'],
    ['"SELECT" 1', ''],
    ['EXPLAIN', ''],
  ])('tells that %j would %s', (sql, verb) => {
    expect(verbOf(scanSql(sql, 'postgres')).verb).toBe(verb)
  })

  it('finds what follows a statement of any quoted and commented parts', () => {
    const quoted = fc.string().map((text) => `'${text.replaceAll("'", "''")}'`)
    const named = fc.string().map((text) => `"${text.replaceAll('"', '""')}"`)
    const comment = fc.string().map((text) => `/*${text.replaceAll(/[*/]/g, ' ')}*/`)
    const dollars = fc.string().map((text) => `$q$${text.replaceAll('$', ' ')}$q$`)
    fc.assert(
      fc.property(fc.array(fc.oneof(quoted, named, comment, dollars)), (parts) => {
        const sql = `SELECT ${parts.join(' , ')}`
        expect(count(sql)).toBe(1)
        expect(count(`${sql} ; DELETE FROM t`)).toBe(2)
      }),
    )
  })

  it('takes any text, and time in proportion to its length', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.constantFrom('sqlite' as const, 'postgres' as const), (sql, dialect) => {
        expect(scanSql(sql, dialect).statements).toBeGreaterThanOrEqual(0)
      }),
    )
    for (const piece of ["'", '"', '$', '$a$', '/*', '-', '--', '(', 'a ', '?', "E'", '[', ';'])
      expect(scanSql(piece.repeat(process.env.X_FULL ? 1_000_000 : 200_000), 'postgres').words.length).toBeLessThanOrEqual(32)
  })
})

describe('assertAllowed', () => {
  const check =
    (sql: string, readOnly: boolean, dialect: 'sqlite' | 'postgres' = 'postgres') =>
    () =>
      assertAllowed(sql, { dialect, readOnly })

  it.each([
    'SELECT 1',
    '(SELECT 1) UNION SELECT 2',
    'WITH a AS (SELECT 1) TABLE a',
    'VALUES (1)',
    'SHOW search_path',
    'EXPLAIN SELECT 1',
  ])('lets %j through', (sql) => {
    expect(check(sql, true)).not.toThrow()
  })

  it.each([
    'INSERT INTO t VALUES (1)',
    'CREATE UNIQUE INDEX i ON t (a)',
    'CREATE OR REPLACE VIEW v AS SELECT 1',
    'ALTER TABLE t ADD b INTEGER',
    'TRUNCATE t',
  ])('lets %j through for writing only', (sql) => {
    expect(check(sql, false)).not.toThrow()
    expect(check(sql, true)).toThrow(expect.objectContaining({ reason: 'read_only_violation' }))
  })

  it.each([
    'SELECT U&"pg\\005fread_file"(1)',
    'SELECT u&"set_confi!0067"(1) UESCAPE \'!\'',
    "SELECT query_to_xml_and_xmlschema('SELECT 1', true, true, '')",
    "SELECT database_to_xmlschema(true, true, '')",
    'SELECT pg_stat_reset_shared()',
  ])('DB-08: refuses %j, which hides what it calls', (sql) => {
    for (const readOnly of [true, false])
      expect(check(sql, readOnly)).toThrow(expect.objectContaining({ reason: 'statement_not_allowed' }))
  })

  it('tells why there are no temporary tables', () => {
    expect(check('CREATE TEMP TABLE a (b INTEGER)', false)).toThrow(/would not outlive its statement/)
  })

  it.each([
    'GRANT ALL ON t TO PUBLIC',
    'CREATE FUNCTION f() RETURNS int',
    'CREATE EXTENSION dblink',
    'CREATE OR REPLACE FUNCTION f() RETURNS int',
    'LISTEN x',
    'LOCK t',
    'nonsense',
    '1',
  ])('refuses %j for both', (sql) => {
    expect(check(sql, false)).toThrow(expect.objectContaining({ reason: 'statement_not_allowed' }))
    expect(check(sql, true)).toThrow(expect.objectContaining({ reason: expect.stringMatching(/not_allowed|violation/) }))
  })
})
