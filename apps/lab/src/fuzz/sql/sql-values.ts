/** Writes values of PostgreSQL's types as SQL. */
import type { Random } from '../random.ts'

/** Writes a value of the type. `text` is a quoted string, which is used for text types. */
export function typedValue(type: string, text: string, random: Random): string {
  if (/^(?:text|name|cstring|"any"|any|anyelement|character varying)/.test(type)) return type === 'text' ? `${text}::text` : text
  if (/^(?:smallint|integer|bigint|oid|numeric|real|double precision|money)$/.test(type))
    return `${random.pick(['1', '0', '-1'])}::${type}`
  if (type === 'regclass') return "'t'::regclass"
  if (type === 'boolean') return random.pick(['true', 'false'])
  if (type === 'bytea') return "'\\x00'::bytea"
  if (type.endsWith('[]') && type !== 'anyarray[]') return `'{1}'::${type}`
  if (/^any|^internal|^record/.test(type)) return type === 'anyarray' ? 'ARRAY[1]' : 'NULL'
  return random.pick([`'1'::${type}`, `NULL::${type}`, `'2020-01-01'::${type}`, `'{}'::${type}`])
}
