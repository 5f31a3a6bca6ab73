/** Validation by AJV, which is loaded and compiled at first use: importing a tool costs nothing. */
import type { Ajv, ErrorObject, Options, ValidateFunction } from 'ajv'

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

/** A bundler may give the CommonJS module as default only. */
async function loadAjv(): Promise<typeof Ajv> {
  const module: { readonly Ajv?: typeof Ajv; readonly default: unknown } = await import('ajv')
  return module.Ajv ?? (module.default as { readonly Ajv: typeof Ajv }).Ajv
}

const OPTIONS: Options = {
  allErrors: true,
  ownProperties: true,
  validateFormats: false,
  strict: false,
  // These make a first compile 20 times cheaper; schemas are checked at definition.
  validateSchema: false,
  meta: false,
  code: { optimize: false },
}

/** An AJV of its own for each schema: a shared one refuses a second `$id`, mixes their `$ref`s up, and keeps all of them. */
function compile(AjvClass: typeof Ajv, schema: object): ValidateFunction {
  const check = new AjvClass(OPTIONS).compile(schema)
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
