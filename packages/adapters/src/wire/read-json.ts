/** Reads fields of a provider's JSON, in which any field may have any value. */
import { findFault, MAX_DEPTH } from '@x/tool-core'
import { isRecord as isObject } from '../is-record.ts'

export { isObject }

export type JsonObject = Readonly<Record<string, unknown>>

export function objectAt(value: unknown, key: string): JsonObject | undefined {
  const field = fieldAt(value, key)
  return isObject(field) ? field : undefined
}

export function arrayAt(value: unknown, key: string): readonly unknown[] {
  const field = fieldAt(value, key)
  return Array.isArray(field) ? field : []
}

export function stringAt(value: unknown, key: string): string | undefined {
  const field = fieldAt(value, key)
  return typeof field === 'string' ? field : undefined
}

export function numberAt(value: unknown, key: string): number | undefined {
  const field = fieldAt(value, key)
  return typeof field === 'number' && Number.isFinite(field) ? field : undefined
}

/** Adds parts to a token count. Ignores invalid parts, such as negative numbers, which would lower the sum. */
export function countWith(count: number, ...parts: readonly (number | undefined)[]): number {
  return isCount(count) ? parts.reduce<number>((sum, part) => (isCount(part) ? sum + part : sum), count) : count
}

function isCount(value: number | undefined): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

export function fieldAt(value: unknown, key: string): unknown {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
}

/** Parses JSON. Undefined if the text isn't valid JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Serializes a value from a provider's JSON. If the value is nested too deeply, returns a note, which isn't valid JSON. */
export function toJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? ''
  } catch {
    return '(nested too deeply to be written)'
  }
}

/** Returns the fields without those whose value is undefined. */
export function optional<Fields extends object>(fields: Fields): Optional<Fields> {
  const present: Partial<Fields> = {}
  for (const key in fields) if (fields[key] !== undefined) present[key] = fields[key]
  return present as Optional<Fields>
}

type Optional<Fields> = { [Key in keyof Fields]?: Exclude<Fields[Key], undefined> }

/** True if a value from a provider's JSON can be serialized, so that it can be sent back. */
export function isWritable(value: unknown): boolean {
  return findFault(value, MAX_DEPTH) === undefined
}
