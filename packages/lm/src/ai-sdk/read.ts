/** Reads untyped data from models, providers and other packages. */
import { parseJson as parse } from '../http/reply-reader.ts'

export type Json = Readonly<Record<string, unknown>>

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Reads a property of the object itself. Ignores inherited ones. */
export function fieldAt(value: unknown, key: string): unknown {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
}

/**
 * Reads a property, including inherited ones. Models and some errors, such as abort errors, define properties as inherited
 * getters.
 */
export function memberAt(value: unknown, key: string): unknown {
  return isObject(value) ? value[key] : undefined
}

export function objectAt(value: unknown, key: string): Json | undefined {
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

/** Returns a value as JSON text. A circular or deeply nested value becomes a placeholder. */
export function toJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? ''
  } catch {
    return '"(cannot be written as JSON)"'
  }
}

/** Parses JSON text. Returns undefined for invalid JSON, and for a value that is nested too deeply to be serialized again. */
export function parseJson(text: string): unknown {
  const value = parse(text)
  return isDeep(value) ? undefined : value
}

const DEEPEST = 500

function isDeep(value: unknown): boolean {
  let level = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > DEEPEST) return true
    level = level.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []))
  }
  return false
}

/** Returns a copy without the fields whose value is undefined. */
export function optional<T extends object>(fields: T): { [Key in keyof T]?: Exclude<T[Key], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Key in keyof T]?: Exclude<T[Key], undefined>
  }
}
