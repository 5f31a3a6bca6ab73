/** Validation by AJV, which is loaded and compiled at first use: importing a tool costs nothing. */
import type { Ajv, ErrorObject, ValidateFunction } from 'ajv'

/** One thing that is wrong with a value. */
export interface Issue {
  /** JSON pointer into the value; empty for the value itself. */
  readonly path: string
  /** The JSON Schema keyword that failed. */
  readonly keyword: string
  /** Reads on from the path: `must be string`. */
  readonly message: string
}

export const MAX_ISSUES = 10

let ajv: Ajv | undefined
const compiled = new WeakMap<object, ValidateFunction>()

/**
 * What is wrong with a value, at most ten issues; empty when it fits. The schema is compiled once per schema object.
 * Own properties only, no coercion, no defaults: neither value nor schema is changed. Rejects when AJV cannot compile the schema.
 */
export async function validate(schema: object, value: unknown): Promise<readonly Issue[]> {
  const check = compiled.get(schema) ?? compile(await loadAjv(), schema)
  if (check(value)) return []
  return (check.errors ?? []).slice(0, MAX_ISSUES).map(toIssue)
}

async function loadAjv(): Promise<Ajv> {
  if (ajv !== undefined) return ajv
  const { Ajv } = await import('ajv')
  // The three last options make a first compile 20 times cheaper; schemas are checked at definition.
  const code = { optimize: false }
  ajv ??= new Ajv({ allErrors: true, ownProperties: true, validateFormats: false, strict: false, validateSchema: false, code })
  return ajv
}

function compile(instance: Ajv, schema: object): ValidateFunction {
  const check = instance.compile(schema)
  compiled.set(schema, check)
  return check
}

function toIssue({ instancePath, keyword, message = keyword, params }: ErrorObject): Issue {
  return { path: instancePath, keyword, message: detailed(keyword, message, params) }
}

/** AJV's sentence, with the fact that it leaves out. */
function detailed(keyword: string, message: string, params: Record<string, unknown>): string {
  if (keyword === 'enum')
    return `${message}: ${(params.allowedValues as unknown[]).map((value) => JSON.stringify(value)).join(', ')}`
  if (keyword === 'const') return `${message}: ${JSON.stringify(params.allowedValue)}`
  if (keyword === 'additionalProperties') return `${message}: ${JSON.stringify(params.additionalProperty)}`
  return message
}

/** Issues as one line for a model: `/city must be string; must have required property 'unit'`. */
export function renderIssues(issues: readonly Issue[]): string {
  return issues.map(({ path, message }) => (path === '' ? message : `${path} ${message}`)).join('; ')
}
