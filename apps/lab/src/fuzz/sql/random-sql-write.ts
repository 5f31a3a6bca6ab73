/** Generates random PostgreSQL statements for `execute`: statements that it allows, and the same ones with harmful parts. */
import type { Random } from '../random.ts'
import { hide, type SqlNames, SqlWriter } from './random-sql.ts'
import { SYSTEM_TABLES } from './sql-words.ts'

export function randomWrite(names: SqlNames, random: Random): string {
  const sql = new WriteWriter(names, random).statement(0)
  return random.chance(0.05) ? hide(sql, random) : sql
}

/** System relations. If a superuser writes to them, PostgreSQL behaves differently. */
const SYSTEM = [
  ...SYSTEM_TABLES,
  ...[
    'pg_class',
    'pg_catalog.pg_proc',
    '"pg_catalog"."pg_operator"',
    'pg_language',
    'pg_db_role_setting',
    'pg_toast.pg_toast_1262',
  ],
  ...['information_schema.sql_features', 'sql_features', 'U&"\\0070g_cast"', 'pg_catalog.pg_type', 'pg_class_oid_index'],
] as const

const ALTERED = ['TABLE', 'TABLE', 'TABLE', 'VIEW', 'INDEX', 'SEQUENCE', 'MATERIALIZED VIEW'] as const
const DROPPED = ['TABLE', 'VIEW', 'INDEX', 'SEQUENCE', 'TYPE', 'FUNCTION', 'SCHEMA'] as const

class WriteWriter {
  readonly #names: SqlNames
  readonly #random: Random
  readonly #parts: SqlWriter

  constructor(names: SqlNames, random: Random) {
    this.#names = names
    this.#random = random
    this.#parts = new SqlWriter(names, random)
  }

  statement(depth: number): string {
    const r = this.#random
    if (r.chance(0.04)) return this.#parts.statement(0)
    if (r.chance(0.5)) return this.#rows(depth)
    return r.pick<() => string>([
      () => this.#createTable(),
      () => this.#createTable(),
      () => this.#createView(),
      () => this.#createIndex(),
      () => `ALTER ${r.pick(ALTERED)} ${this.#relation()} ${this.#alteration()}`,
      () => `ALTER TABLE ${this.#relation()} ${this.#alteration()}, ${this.#alteration()}`,
      () =>
        `DROP ${r.pick(DROPPED)} ${r.pick(['', 'IF EXISTS '])}${this.#relation()}${r.pick(['', '', ' CASCADE', ', kept.shown'])}`,
      () =>
        `${r.pick(['EXPLAIN ANALYZE', 'EXPLAIN (ANALYZE, WAL)', 'PREPARE p AS', 'DECLARE c CURSOR FOR'])} ${this.statement(depth + 1)}`,
      () => r.pick(this.#foreign()),
    ])()
  }

  #rows(depth: number): string {
    const r = this.#random
    if (r.chance(0.03)) return `TRUNCATE ${this.#relation()}${r.pick(['', ' RESTART IDENTITY', ' CASCADE'])}`
    const start = depth < 2 && r.chance(0.15) ? `WITH x AS (${this.#rows(2)}) ` : ''
    const change = r.pick<() => string>([
      () => this.#insert(),
      () => this.#insert(),
      () => this.#update(),
      () => this.#delete(),
      () => this.#merge(),
    ])()
    const end = r.chance(0.3) ? ` RETURNING ${r.pick(['*', 'old.*, new.*', 'ctid'])}, ${this.#value()}` : ''
    return start + change + end
  }

  #insert(): string {
    const r = this.#random
    const values = (): string => `VALUES (${this.#id()}, ${this.#label()})`
    const rows = r.pick<() => string>([values, values, () => this.#read(), () => 'DEFAULT VALUES'])()
    const conflict = r.pick<() => string>([
      () => 'DO NOTHING',
      () => `(id) DO UPDATE SET label = ${this.#label()} WHERE ${this.#condition()}`,
      () => `((${this.#value()})) DO NOTHING`,
    ])
    const end = r.chance(0.4) ? ` ON CONFLICT ${conflict()}` : ''
    return `INSERT INTO ${this.#relation()} ${r.pick(['', '(id, label) ', 'AS o '])}${rows}${end}`
  }

  #update(): string {
    const r = this.#random
    const set = r.pick<() => string>([
      () => `label = ${this.#label()}`,
      () => `(id, label) = (${this.#read()})`,
      () => 'label = DEFAULT',
    ])()
    const from = r.chance(0.2) ? ` FROM ${this.#source()} AS s` : ''
    return `UPDATE ${r.pick(['', 'ONLY '])}${this.#relation()} SET ${set}${from} WHERE ${this.#condition()}`
  }

  #delete(): string {
    const r = this.#random
    const using = r.chance(0.2) ? ` USING ${this.#source()} AS s` : ''
    return `DELETE FROM ${this.#relation()}${using} WHERE ${r.pick(['', 'id > 1 AND ', 'id = 7 AND '])}${this.#condition()}`
  }

  #merge(): string {
    const r = this.#random
    const then = r.pick(['DELETE', 'DO NOTHING', `UPDATE SET label = ${this.#label()}`, `INSERT VALUES (7, ${this.#label()})`])
    const when = `WHEN ${r.pick(['', 'NOT '])}MATCHED AND ${this.#condition()} THEN ${then}`
    return `MERGE INTO ${this.#relation()} AS o USING ${this.#source()} AS s ON ${this.#condition()} ${when}`
  }

  #createView(): string {
    const r = this.#random
    const start = `CREATE ${r.pick(['', 'OR REPLACE ', 'TEMP ', 'RECURSIVE '])}VIEW ${this.#newName()}`
    return `${start}${r.pick(['', '(a, b)', ' WITH (security_barrier)'])} AS ${this.#read()}${r.pick(['', '', ' WITH CHECK OPTION'])}`
  }

  #createIndex(): string {
    const r = this.#random
    const start = `CREATE ${r.pick(['', 'UNIQUE '])}INDEX ${r.pick(['', '', 'CONCURRENTLY ', 'made_index '])}ON ${this.#relation()}`
    const element = `(${r.pick<() => string>([() => this.#label(), () => this.#value()])()}) ${r.pick(['', '', 'text_ops', 'kept.odd_ops'])}`
    const end = r.chance(0.3) ? ` WHERE ${this.#condition()}` : ''
    return `${start} USING ${r.pick(['btree', 'btree', 'hash', 'gin'])} (${element})${end}`
  }

  #createTable(): string {
    const r = this.#random
    const name = this.#newName()
    const start = `CREATE ${r.pick(['', '', '', 'UNLOGGED ', 'TEMP '])}TABLE ${r.pick(['', '', 'IF NOT EXISTS '])}${name}`
    if (r.chance(0.3)) return `${start} AS ${this.#read()}${r.pick(['', '', ' WITH NO DATA'])}`
    if (r.chance(0.1))
      return `${start} PARTITION OF ${this.#relation()} ${r.pick(['DEFAULT', `FOR VALUES FROM (${this.#value()}) TO (9)`])}`
    const parts = [
      `id ${r.pick(['INTEGER', 'SERIAL', this.#parts.type(), 'INTEGER GENERATED ALWAYS AS IDENTITY'])} ${this.#constraint()}`,
      `label TEXT ${this.#constraint()}`,
      ...(r.chance(0.2)
        ? [
            r.pick([
              `LIKE ${this.#relation()} INCLUDING ALL`,
              `CHECK (${this.#condition()})`,
              `EXCLUDE USING btree ((${this.#value()}) WITH ${r.pick(['=', 'OPERATOR(public.===)'])})`,
              `FOREIGN KEY (id) REFERENCES ${this.#relation()} ON DELETE CASCADE`,
            ]),
          ]
        : []),
    ]
    const end = r.pick([
      ...['', '', '', '', ' WITH (fillfactor = 50)', ' WITH (user_catalog_table = true)', ' TABLESPACE pg_global', ' USING heap'],
      ...[` INHERITS (${this.#relation()})`, ` PARTITION BY RANGE ((${this.#value()}))`, ' PARTITION BY LIST (id kept.odd_ops)'],
    ] as [string, ...string[]])
    return `${start} (${parts.join(', ')})${end}`
  }

  #constraint(): string {
    const r = this.#random
    return r.pick<() => string>([
      () => '',
      () => 'NOT NULL',
      () => 'PRIMARY KEY',
      () => `DEFAULT ${r.pick<() => string>([() => this.#id(), () => this.#label()])()}`,
      () => `CHECK (${this.#condition()})`,
      () => `GENERATED ALWAYS AS (${this.#label()}) STORED`,
      () => `REFERENCES ${this.#relation()}`,
      () => `COLLATE ${r.pick(['"C"', 'kept.odd'])}`,
    ])()
  }

  #alteration(): string {
    const r = this.#random
    return r.pick<() => string>([
      () => `ADD COLUMN ${r.pick(['more', 'shout', 'pg_sleep'])} ${r.pick(['TEXT', this.#parts.type()])} ${this.#constraint()}`,
      () => 'DROP COLUMN label CASCADE',
      () => `ALTER COLUMN label TYPE ${r.pick(['TEXT', this.#parts.type()])} USING ${this.#label()}`,
      () => `ALTER COLUMN label SET DEFAULT ${this.#label()}`,
      () => `ADD CHECK (${this.#condition()})`,
      () => `ADD FOREIGN KEY (id) REFERENCES ${this.#relation()}`,
      () => `RENAME TO ${this.#newName()}`,
      () => `RENAME COLUMN label TO ${r.pick(['label', 'lower', 'pg_read_file', 'shout'])}`,
      () =>
        r.pick([
          ...[
            'OWNER TO tester',
            'OWNER TO writer',
            'SET SCHEMA kept',
            'SET SCHEMA pg_catalog',
            'INHERIT kept.shown',
            'NO INHERIT t',
          ],
          ...[
            'DISABLE TRIGGER ALL',
            'ENABLE ROW LEVEL SECURITY',
            'SET TABLESPACE pg_global',
            'SET (fillfactor = 50)',
            'SET UNLOGGED',
          ],
          ...[
            'ATTACH PARTITION kept.shown DEFAULT',
            'REPLICA IDENTITY FULL',
            'OF t',
            'OWNED BY t.id',
            'RESTART',
            'CLUSTER ON t_pkey',
          ],
          ...['ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (SEQUENCE NAME kept.made)', 'ALTER COLUMN id SET STATISTICS 5'],
        ] as [string, ...string[]]),
    ])()
  }

  /** Returns statements that `execute` doesn't allow. */
  #foreign(): readonly [string, ...string[]] {
    return [
      'CREATE RULE r AS ON INSERT TO t DO ALSO SELECT shout(label) FROM t',
      'CREATE TRIGGER g BEFORE INSERT ON t FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()',
      "CREATE FUNCTION made() RETURNS INTEGER LANGUAGE sql AS 'SELECT 1'",
      'CREATE POLICY p ON t',
      "CREATE AGGREGATE total(TEXT) (sfunc = 'textcat', stype = TEXT)",
      'CREATE OPERATOR === (leftarg = TEXT, rightarg = TEXT, function = texteq)',
      'CREATE CAST (TEXT AS t) WITH INOUT',
      "CREATE TYPE made_type AS ENUM ('a')",
      'CREATE DOMAIN made_domain AS TEXT CHECK (shout(VALUE) IS NOT NULL)',
      'CREATE SCHEMA made CREATE TABLE x (id INTEGER)',
      'CREATE STATISTICS st ON id, label FROM t',
      'CREATE EVENT TRIGGER e ON ddl_command_start EXECUTE FUNCTION shout()',
      'CREATE PUBLICATION p FOR ALL TABLES',
      'GRANT ALL ON t TO PUBLIC',
      'REVOKE ALL ON kept.shown FROM writer',
      'ALTER DEFAULT PRIVILEGES GRANT ALL ON TABLES TO PUBLIC',
      'ALTER ROLE writer SET search_path = kept',
      'ALTER DATABASE postgres SET work_mem = 64',
      'ALTER FUNCTION shout(TEXT) OWNER TO writer',
      "COMMENT ON TABLE t IS 'x'",
      `COPY t FROM '${this.#names.file}'`,
      `COPY t TO '/tmp/made-by-fuzz'`,
      'SET search_path = kept',
      "SET SESSION AUTHORIZATION 'tester'",
      'REFRESH MATERIALIZED VIEW made',
      'REINDEX TABLE pg_class',
      'VACUUM FULL pg_class',
      'REASSIGN OWNED BY writer TO tester',
      'CALL made()',
      `DO $$BEGIN PERFORM shout('a'); END$$`,
    ]
  }

  #relation(): string {
    const r = this.#random
    if (r.chance(0.65)) return r.pick(['t', 't', 'made', 'made_2', 'labels', 'public.t', '"t"'])
    if (r.chance(0.4))
      return r.pick(['kept.shown', 'kept.words', 'words', 'pg_made', 'x', 't_pkey', 'made_id_seq', 'postgres.public.t'])
    return r.pick(SYSTEM)
  }

  #newName(): string {
    const r = this.#random
    if (r.chance(0.7)) return r.pick(['made', 'made_2', 'made_3', 'public.made'])
    return r.pick([
      't',
      'labels',
      'kept.made',
      'pg_made',
      'pg_catalog.made',
      'information_schema.made',
      'pg_class',
      'sql_features',
      'lower',
      'text',
      'pg_toast.made',
    ])
  }

  /** Writes the source that a statement reads from. */
  #source(): string {
    const r = this.#random
    return r.chance(0.6)
      ? 't'
      : r.chance(0.5)
        ? `(${this.#read()})`
        : r.pick(['kept.shown', 'kept.words', 'made', 'pg_class', 'pg_settings'])
  }

  #read(): string {
    const r = this.#random
    if (r.chance(0.15)) return this.#parts.select(2)
    const end = r.pick(['', '', '', ' LIMIT 2', ' FOR UPDATE', ' FOR SHARE OF s', ' ORDER BY 1'])
    return `SELECT ${this.#id()}${r.pick(['', ' AS id'])}, ${this.#label()}${r.pick(['', ' AS label'])} FROM ${this.#source()} AS s${end}`
  }

  #condition(): string {
    return this.#random.pick<() => string>([
      () => 'true',
      () => 'false',
      () => "label = 'one'",
      () => `(${this.#value()}) IS NOT NULL`,
      () => `(${this.#value()})::text ${this.#random.pick(['=', '~', 'OPERATOR(public.===)', '<->'])} 'a'`,
    ])()
  }

  /** Writes a value. Most values are converted to the right type, so that the server runs the statement. */
  #label(): string {
    return this.#random.chance(0.2) ? this.#value() : `(${this.#value()})::text`
  }

  #id(): string {
    return this.#random.chance(0.3) ? this.#value() : `length((${this.#value()})::text)`
  }

  #value(): string {
    const r = this.#random
    if (r.chance(0.65)) return r.pick(['1', '2', "'a'", 'NULL', 'id', 'label', 'lower(label)', 'id + 1', "label || 'x'", 'now()'])
    return r.pick<() => string>([
      () => this.#parts.typedCall(),
      () => this.#parts.value(2),
      () =>
        r.pick([
          "shout('a')",
          "public.shout('a')",
          "marked('a')",
          "pg_catalog.marked('a')",
          "('a'::text).shout",
          "('a'::text).marked",
        ]),
      () =>
        r.pick([
          '(s).size_of',
          't.size_of',
          "'a'::loud",
          "CAST('a' AS public.loud)",
          "'a' === 'b'",
          "'a' OPERATOR(public.===) 'b'",
        ]),
      () =>
        r.pick([
          `pg_read_file('${this.#names.file}')`,
          "lo_from_bytea(0, 'a')",
          "lo_export(1, '/tmp/made-by-fuzz')",
          "nextval('kept.calls')",
        ]),
    ])()
  }
}
