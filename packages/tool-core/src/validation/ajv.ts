/** The compiling validator: AJV, loaded at first use. */
import type { Ajv, ErrorObject, Options } from 'ajv'
import { type Issue, MAX_ISSUES, NO_ISSUES } from '../issue.ts'

export async function compileWithAjv(schema: object): Promise<(value: unknown) => readonly Issue[]> {
  const check = new (await loadAjv())(OPTIONS).compile(schema)
  return (value) => (check(value) ? NO_ISSUES : (check.errors ?? []).slice(0, MAX_ISSUES).map(toIssue))
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
