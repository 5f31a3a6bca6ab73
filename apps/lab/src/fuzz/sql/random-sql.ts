/**
 * Generates random PostgreSQL statements from a grammar: harmless ones, harmful ones that would write or read files, and ways to hide them.
 */
import { mutate } from '../mutate.ts'
import type { Random } from '../random.ts'
import { typedValue } from './sql-values.ts'
import { COMMANDS, FUNCTIONS, OPERATORS, SYSTEM_TABLES, TYPES } from './sql-words.ts'

/** A function that the server offers. */
export interface SqlFunction {
  readonly name: string
  /** Types of the arguments. */
  readonly args: readonly string[]
}

export interface SqlNames {
  readonly functions: readonly SqlFunction[]
  /** A table that the role must not read. */
  readonly secret: string
  /** A file on the server. */
  readonly file: string
}

export function randomSql(names: SqlNames, random: Random): string {
  const writer = new SqlWriter(names, random)
  let sql = random.chance(0.5) ? writer.simple() : writer.statement(0)
  if (random.chance(0.1)) sql = `${sql}${random.pick(['; ', ';--\r', '/* */;', ' ;\n'])}${writer.statement(0)}`
  if (random.chance(0.15)) sql = hide(sql, random)
  if (random.chance(0.1)) sql = mutate(sql, writer.statement(0), random)
  return sql
}

/** Inserts syntax that parsers other than PostgreSQL's may read differently. */
export function hide(sql: string, random: Random): string {
  const put = random.pick(['--\r', '/*/**/*/', '\u00a0', '\ufeff', '\f', "--'\n", '/*$$*/', '\u2028', '"'])
  const places = [...sql.matchAll(/\s/g)].map(({ index }) => index)
  const at = places[random.below(Math.max(1, places.length))] ?? 0
  return sql.slice(0, at) + put + sql.slice(at)
}

/** Writes statements and parts of them. Some are harmful. */
export class SqlWriter {
  readonly #names: SqlNames
  readonly #random: Random

  constructor(names: SqlNames, random: Random) {
    this.#names = names
    this.#random = random
  }

  /** Writes a statement that the server can run if it is allowed: it calls a function with arguments of the right types. */
  simple(): string {
    const call = this.typedCall()
    return this.#random.pick([
      () => `SELECT ${call}`,
      () => `SELECT ${call} FROM t`,
      () => `SELECT * FROM ${call} AS f`,
      () => `SELECT id FROM t WHERE ${call} IS NOT NULL`,
      () => `SELECT (${this.#attribute()}`,
      () => `EXPLAIN ANALYZE SELECT ${call}`,
      () => `VALUES (${call})`,
      () => `WITH x AS MATERIALIZED (SELECT ${call}) SELECT * FROM x`,
      () => `SELECT ${this.text()}::${this.type()}`,
      () => `SELECT * FROM ${this.#from(3)}`,
    ])()
  }

  typedCall(): string {
    const { name, args } = this.#random.pick(this.#names.functions as readonly [SqlFunction, ...SqlFunction[]])
    return `${this.#random.pick(['', 'pg_catalog.'])}"${name}"(${args.map((type) => this.#typed(type)).join(', ')})`
  }

  /** Writes `x).f`, which calls a function with one argument. */
  #attribute(): string {
    const functions = this.#names.functions.filter(({ args }) => args.length === 1)
    const { name, args } = this.#random.pick(functions as [SqlFunction, ...SqlFunction[]])
    return `${this.#typed(args[0] ?? 'text')}).${name}`
  }

  #typed(type: string): string {
    return typedValue(type, this.text(), this.#random)
  }

  statement(depth: number): string {
    const r = this.#random
    switch (r.below(depth > 1 ? 7 : 12)) {
      case 7:
        return `EXPLAIN ${r.pick(['', 'ANALYZE ', '(ANALYZE, VERBOSE) ', '(FORMAT json) '])}${this.statement(depth + 1)}`
      case 8:
        return this.change(depth)
      case 9:
        return this.#steer(depth)
      case 10:
        return `WITH ${r.pick(['', 'RECURSIVE '])}x AS ${r.pick(['', 'MATERIALIZED '])}(${this.#inCte(depth)}) ${this.select(depth)}`
      default:
        return this.select(depth)
    }
  }

  #inCte(depth: number): string {
    return this.#random.chance(0.4) ? `${this.change(depth + 1)} RETURNING *` : this.select(depth + 1)
  }

  select(depth: number): string {
    const r = this.#random
    if (depth > 3) return 'SELECT 1'
    const columns = Array.from({ length: 1 + r.below(2) }, () => `${this.value(depth)}${r.pick(['', '', ' AS a', ' AS "b c"'])}`)
    const parts = [
      `SELECT ${r.pick(['', '', 'DISTINCT ', 'ALL '])}${r.chance(0.2) ? '*' : columns.join(', ')}`,
      r.chance(0.1) && `INTO ${r.pick(['', 'TEMP ', 'UNLOGGED '])}made`,
      r.chance(0.8) && `FROM ${this.#from(depth)}`,
      r.chance(0.4) &&
        `WHERE ${this.value(depth)}${r.pick([' IS NOT NULL', "::text <> ''", ' IN (SELECT 1)', "::text LIKE '%'"])}`,
      r.chance(0.1) && 'GROUP BY 1',
      r.chance(0.2) && `ORDER BY ${r.pick(['1', '1 DESC', '1 USING <'])}`,
      r.chance(0.2) && `LIMIT ${r.pick(['3', '(SELECT 2)', 'ALL'])}`,
      r.chance(0.08) && r.pick(['FOR UPDATE', 'FOR SHARE', 'FOR NO KEY UPDATE OF t', 'FOR UPDATE SKIP LOCKED']),
    ]
    const select = parts.filter(Boolean).join(' ')
    return r.chance(0.15) ? `(${select}) ${r.pick(['UNION ALL', 'EXCEPT', 'INTERSECT'])} (${this.select(depth + 1)})` : select
  }

  #from(depth: number): string {
    const r = this.#random
    const { secret } = this.#names
    const item = () => {
      switch (r.below(9)) {
        case 0:
          return `(${this.select(depth + 1)}) AS s`
        case 1:
          return `${r.pick(['', 'LATERAL ', 'ROWS FROM ('])}${this.#call(depth)}`.replace(/^(ROWS FROM \(.*)$/s, '$1)')
        case 2:
          return r.pick([
            secret,
            `public.${secret}`,
            `ONLY ${secret}`,
            `"${secret}"`,
            `postgres.public.${secret}`,
            `U&"\\${hex(secret[0])}${secret.slice(1)}"`,
          ])
        case 3:
          return r.pick(SYSTEM_TABLES)
        case 4:
          return `t ${r.pick(['TABLESAMPLE SYSTEM (50)', 'TABLESAMPLE bernoulli (50)', 'AS u'])}`
        case 5:
          return `XMLTABLE('/a' PASSING ${this.value(depth)} COLUMNS b text PATH 'b')`
        default:
          return r.pick(['t', 'labels', 'public.t', '"t"', 't AS u'])
      }
    }
    return r.chance(0.3) ? `${item()}${r.pick([', ', ' CROSS JOIN ', ' NATURAL JOIN '])}${item()}` : item()
  }

  value(depth: number): string {
    const r = this.#random
    if (depth > 3) return r.pick(['1', "'a'", 'NULL'])
    switch (r.below(14)) {
      case 0:
      case 1:
        return this.#call(depth)
      case 2:
        return `(${this.select(depth + 1)})`
      case 3:
        return `(${this.text()}::text).${this.#function()}`
      case 4:
        return `${this.value(depth + 1)}::${this.type()}`
      case 5:
        return `CAST(${this.text()} AS ${this.type()})`
      case 6:
        return `${this.type()} ${this.text()}`
      case 7:
        return `(t).${r.pick(['id', 'label', this.#function()])}`
      case 8:
        return `${this.value(depth + 1)} ${this.#operator()} ${this.value(depth + 1)}`
      case 9:
        return `ARRAY[${this.value(depth + 1)}]`
      case 10:
        return `CASE WHEN true THEN ${this.value(depth + 1)} ELSE ${this.value(depth + 1)} END`
      case 11:
        return r.pick(['current_user', 'current_schema', 't.ctid', 't.tableoid::regclass', 'xmin', '*', 'DEFAULT', '$1'])
      case 12:
        return `EXISTS (${this.select(depth + 1)})`
      default:
        return r.pick(['1', '-2', "'x'", 'NULL', 'true', 't.id', 't.label', 'id'])
    }
  }

  #call(depth: number): string {
    const r = this.#random
    const args = Array.from({ length: r.below(4) }, () => (r.chance(0.6) ? this.text() : this.value(depth + 1)))
    const schema = r.pick(['', '', '', 'pg_catalog.', 'public.', '"pg_catalog".'])
    const end = r.pick(['', '', '', ' OVER ()', ' FILTER (WHERE true)', ' WITHIN GROUP (ORDER BY 1)'])
    return `${schema}${this.#function()}(${r.pick(['', '', '', 'VARIADIC ', 'DISTINCT '])}${args.join(', ')})${end}`
  }

  #function(): string {
    const r = this.#random
    const { functions } = this.#names
    const name = r.chance(0.35) ? (functions[r.below(functions.length)]?.name ?? 'lower') : r.pick(FUNCTIONS)
    if (r.chance(0.9)) return name
    return r.pick([`"${name}"`, name.toUpperCase(), `U&"\\${hex(name[0])}${name.slice(1)}"`, `"${name.toUpperCase()}"`])
  }

  type(): string {
    return this.#random.pick(TYPES)
  }

  #operator(): string {
    return this.#random.pick(OPERATORS)
  }

  /** Writes a text. Some texts are SQL, because some functions execute their arguments. */
  text(): string {
    const r = this.#random
    const { file, secret } = this.#names
    const text = r.pick([
      file,
      secret,
      'DELETE FROM t',
      `SELECT * FROM ${secret}`,
      `SELECT pg_read_file('${file}')`,
      'a',
      '1',
      '/etc/passwd',
      'default_transaction_read_only',
      'off',
      'tester',
      't',
      'SELECT 1',
      '../',
      'PG_VERSION',
    ])
    const quoted = text.replaceAll("'", "''")
    return r.pick([
      `'${quoted}'`,
      `'${quoted}'`,
      `$$${text}$$`,
      `$x$${text}$x$`,
      `E'${quoted}'`,
      `U&'${quoted}'`,
      `$\u00e9$${text}$\u00e9$`,
      `N'${quoted}'`,
    ])
  }

  change(depth: number): string {
    const r = this.#random
    return r.pick<() => string>([
      () => `INSERT INTO t VALUES (${this.value(depth + 1)}, ${this.text()})`,
      () => `INSERT INTO t ${this.select(depth + 1)} ON CONFLICT DO NOTHING`,
      () => `UPDATE t SET label = ${this.text()}`,
      () => `DELETE FROM ${r.pick(['t', 'labels', this.#names.secret, 'pg_catalog.pg_class'])}`,
      () => 'TRUNCATE t',
      () => 'MERGE INTO t USING t AS u ON true WHEN MATCHED THEN DELETE',
    ])()
  }

  #steer(depth: number): string {
    const r = this.#random
    const { file, secret } = this.#names
    return r.pick<() => string>([
      () =>
        `COPY ${r.pick(['t', secret, `(${this.select(depth + 1)})`])} ${r.pick(['TO STDOUT', `TO '/tmp/made-by-fuzz'`, "TO PROGRAM 'true'", `FROM '${file}'`])}`,
      () => r.pick(['COMMIT', 'ROLLBACK', 'BEGIN', 'SAVEPOINT s', 'ABORT', 'COMMIT AND CHAIN', "PREPARE TRANSACTION 'x'"]),
      () =>
        r.pick([
          'SET TRANSACTION READ WRITE',
          'SET ROLE tester',
          'RESET ALL',
          'SET SESSION AUTHORIZATION tester',
          'SET LOCAL transaction_read_only = off',
          'DISCARD ALL',
        ]),
      () => `DO ${this.text()}`,
      () => `PREPARE p AS ${this.statement(depth + 1)}`,
      () =>
        r.pick([
          'EXECUTE p',
          'DEALLOCATE ALL',
          'LISTEN x',
          "NOTIFY x, 'y'",
          'LOCK t',
          'VACUUM',
          'CHECKPOINT',
          'ANALYZE',
          'REFRESH MATERIALIZED VIEW m',
          'CLUSTER',
        ]),
      () => `DECLARE c CURSOR WITH HOLD FOR ${this.select(depth + 1)}`,
      () =>
        `CREATE ${r.pick(['TABLE made AS ', 'TEMP TABLE made AS ', 'VIEW made AS ', 'MATERIALIZED VIEW made AS '])}${this.select(depth + 1)}`,
      () => r.pick(COMMANDS),
      () => `SHOW ${r.pick(['data_directory', 'ALL', 'server_version', 'hba_file'])}`,
      () => `TABLE ${r.pick(['t', secret, 'pg_shadow'])}`,
      () => `VALUES (${this.value(depth + 1)})`,
      () => `CALL ${this.#call(depth)}`,
    ])()
  }
}

function hex(character: string | undefined): string {
  return (character ?? 'a').charCodeAt(0).toString(16).padStart(4, '0')
}
