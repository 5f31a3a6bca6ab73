/** Validates values. Compiles the check of a schema object once, at its first use, so that importing a tool stays fast. */
import { isToolError } from '../errors.ts'
import { type Issue, NO_ISSUES } from './issue.ts'
import { parserOf } from './parser.ts'
import { beyondBounds } from './validators/bounds.ts'
import type { Check } from './validators/check.ts'

/**
 * Validates a value and returns at most ten issues, or an empty list for a valid value. Only own properties count. Nothing is coerced or
 * filled in, and neither the value nor the schema is changed. A value that exceeds a limit (512 levels, a million values or 16 Mi
 * characters) gets a single issue, and so does a value with a key that could change a prototype. Rejects with `invalid_definition` if the
 * schema is wrong. A schema from another library is validated by that library.
 */
export async function validate(schema: object, value: unknown): Promise<readonly Issue[]> {
  const check = parserOf(schema) === undefined ? await checkOf(schema) : undefined
  const excess = beyondBounds(value)
  if (excess !== undefined) return [excess]
  return check === undefined ? issuesOf(schema, value) : check(value)
}

/** Like `validate`, but without limits. */
export async function issuesOf(schema: object, value: unknown): Promise<readonly Issue[]> {
  const parse = parserOf(schema)
  return parse === undefined ? (await checkOf(schema))(value) : ((await parse(value as object)).issues ?? NO_ISSUES)
}

const checks = new WeakMap<object, Check | Promise<Check>>()

/**
 * Returns a schema's check, or a promise of it until it is compiled. Rejects like `validate`. The check doesn't limit depth or size,
 * because `coerceArgs` has already done so.
 */
export function checkOf(schema: object): Check | Promise<Check> {
  return checks.get(schema) ?? compileOnce(schema)
}

function compileOnce(schema: object): Promise<Check> {
  const compiling = compile(schema)
  checks.set(schema, compiling)
  return compiling
}

async function compile(schema: object): Promise<Check> {
  try {
    // A program that defines tools and never calls one needs no validator.
    const compiler = await import('./validators/compile.ts')
    const check = await compiler.compile(schema)
    checks.set(schema, check)
    return check
  } catch (error) {
    // The error for a wrong schema stays cached, because locating the mistake is slow. A failed import isn't cached, because it may
    // succeed the next time.
    if (!isToolError(error)) checks.delete(schema)
    throw error
  }
}
