import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyCharacter } from '../../../../../scripts/any-character.ts'
import { assertAllowed, verbOf } from './sqlite-guard.ts'
import { scanSql } from './sqlite-scanner.ts'

const count = (sql: string) => scanSql(sql).statements

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
    ['SELECT 1 -- \r; SELECT 2', 1],
    ['SELECT 1 -- ;\n; SELECT 2', 2],
    ['SELECT 1 /* ; */', 1],
    ['/* /* */ ; */ SELECT 1', 1],
    ["SELECT '", 1],
    ["SELECT '\\'; x", 2],
    ['SELECT $1; x', 2],
    ['SELECT $$ ; $$', 2],
    ['SELECT a::text; x', 2],
    ['SELECT [a;b]', 1],
    ['SELECT `a;b`', 1],
  ])('counts the same statements in %j as SQLite', (sql, statements) => {
    expect(count(sql)).toBe(statements)
  })

  it('finds calls with quoted names and after comments, but not in strings', () => {
    const { calls } = scanSql('SELECT Load_Extension(1), "other" /**/ (2), \'third(3)\', fourth')
    expect([...calls]).toEqual(['load_extension', 'other'])
  })

  it('treats a no-break space as part of a name, as SQLite does', () => {
    expect(scanSql('SELECT\u00a01').words).toEqual([{ word: 'SELECT\u00a01', depth: 0 }])
  })

  it('finds placeholders outside quotes', () => {
    expect(scanSql('SELECT ?, ?2, $1, \'$2\', "?", :a, @b, x -- ?').placeholders).toEqual(['?', '?2', '$1', ':a', '@b'])
  })

  it.each([
    ['explain query plan pragma x', 'PRAGMA'],
    ['EXPLAIN SELECT 1', 'SELECT'],
    ['/* x */ (SELECT 1)', 'SELECT'],
    ['-- SELECT\nCOMMIT', 'COMMIT'],
    ['"SELECT" 1', ''],
    ['EXPLAIN', ''],
  ])('reports that %j would %s', (sql, verb) => {
    expect(verbOf(scanSql(sql)).verb).toBe(verb)
  })

  it('finds what follows any quoted and commented parts of a statement', () => {
    const quoted = fc.string().map((text) => `'${text.replaceAll("'", "''")}'`)
    const named = fc.string().map((text) => `"${text.replaceAll('"', '""')}"`)
    const comment = fc.string().map((text) => `/*${text.replaceAll(/[*/]/g, ' ')}*/`)
    fc.assert(
      fc.property(fc.array(fc.oneof(quoted, named, comment)), (parts) => {
        const sql = `SELECT ${parts.join(' , ')}`
        expect(count(sql)).toBe(1)
        expect(count(`${sql} ; DELETE FROM t`)).toBe(2)
      }),
    )
  })

  it('scans any text in linear time', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (sql) => {
        expect(scanSql(sql).statements).toBeGreaterThanOrEqual(0)
      }),
    )
    for (const piece of ["'", '"', '$', '$a$', '/*', '-', '--', '(', 'a ', '?', '`', '[', ';'])
      expect(scanSql(piece.repeat(process.env.X_FULL ? 1_000_000 : 200_000)).words.length).toBeLessThanOrEqual(32)
  })
})

describe('assertAllowed', () => {
  const check = (sql: string, readOnly: boolean) => () => assertAllowed({ sql, readOnly })

  it.each(['SELECT 1', '(SELECT 1) UNION SELECT 2', 'WITH a AS (SELECT 1) SELECT * FROM a', 'VALUES (1)', 'EXPLAIN SELECT 1'])(
    'allows %j',
    (sql) => {
      expect(check(sql, true)).not.toThrow()
    },
  )

  it.each([
    'INSERT INTO t VALUES (1)',
    'CREATE UNIQUE INDEX i ON t (a)',
    'CREATE VIEW v AS SELECT 1',
    'ALTER TABLE t ADD b INTEGER',
  ])('allows %j only for writing', (sql) => {
    expect(check(sql, false)).not.toThrow()
    expect(check(sql, true)).toThrow(expect.objectContaining({ reason: 'read_only_violation' }))
  })

  it.each([
    'CREATE TABLE temp.a (b INTEGER)',
    'CREATE TABLE IF NOT EXISTS Temp . a (b INTEGER)',
    "CREATE VIEW 'temp'.books AS SELECT 1 AS id",
    'CREATE VIEW "temp"/* */.books AS SELECT 1 AS id',
    'CREATE VIEW temp \v.books AS SELECT 1 AS id',
    'CREATE INDEX [temp].i ON a (b)',
    'CREATE VIEW `temp`.books(id) AS SELECT 1',
    'DROP TABLE temp.a',
  ])('refuses a temporary table or view under its full name, which would shadow another: %s', (sql) => {
    expect(check(sql, false)).toThrow(/exists only during this statement/)
  })

  it.each([
    'CREATE VIEW hot AS SELECT temp.b FROM a AS temp',
    'CREATE TABLE main.temp (a INTEGER)',
    'CREATE TABLE a (temp INTEGER)',
    'CREATE TABLE a AS SELECT temp.b FROM a AS temp',
    'CREATE INDEX i ON a (temp)',
  ])('allows the name temp elsewhere: %s', (sql) => {
    expect(check(sql, false)).not.toThrow()
  })

  it('explains why temporary tables are refused', () => {
    expect(check('CREATE TEMP TABLE a (b INTEGER)', false)).toThrow(/exists only during this statement/)
  })

  it.each([
    'GRANT ALL ON t TO PUBLIC',
    'CREATE FUNCTION f() RETURNS int',
    'CREATE OR REPLACE VIEW v AS SELECT 1',
    'nonsense',
    '1',
  ])('refuses %j for reading and for writing', (sql) => {
    expect(check(sql, false)).toThrow(expect.objectContaining({ reason: 'statement_not_allowed' }))
    expect(check(sql, true)).toThrow(expect.objectContaining({ reason: expect.stringMatching(/not_allowed|violation/) }))
  })
})
