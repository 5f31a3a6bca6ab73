/** The `json-schema` suite: the official test suite for draft 7 and 2020-12, with both validators. */
import { join } from 'node:path'
import { isToolError, validate } from '@x/tool-core'
import { noCase, type Suite, type SuiteResult } from '../suite.ts'
import { countAll, failuresOf, mapGroups, type Verdict } from '../verdict.ts'
import { type JsonSchemaCase, readJsonSchemaCases } from './json-schema-case.ts'
import { DEVIATIONS } from './json-schema-deviations.ts'

type Validator = (schema: object, value: unknown) => Promise<readonly unknown[]>

export interface JsonSchemaVerdict extends Verdict {
  /** True if the schema refers to another document. Such a schema is refused unless that document is bundled with it. */
  readonly isRemote: boolean
  /** Names of the validators that agree with the suite. */
  readonly agreeing: readonly string[]
}

const VALIDATORS: ReadonlyMap<string, Validator> = new Map([
  ['ajv', validate],
  ['interpreter', withoutCodeGeneration(validate)],
])

export function defineJsonSchemaSuite(validators = VALIDATORS, deviations = DEVIATIONS): Suite {
  return {
    name: 'json-schema',
    folder: 'json-schema',
    async run(corpus) {
      const cases = readJsonSchemaCases(corpus)
      if (cases.length === 0) throw noCase('json-schema', join(corpus, 'tests'))
      const verdicts: JsonSchemaVerdict[] = []
      for (const one of cases) verdicts.push(await checkJsonSchemaCase(one, validators, deviations))
      return summarize(verdicts)
    },
  }
}

/** Checks one case. A listed deviation is skipped, or fails if the validators agree with the suite after all. */
export async function checkJsonSchemaCase(
  one: JsonSchemaCase,
  validators = VALIDATORS,
  deviations = DEVIATIONS,
): Promise<JsonSchemaVerdict> {
  const agreeing: string[] = []
  const faults: string[] = []
  const isRemote = one.bundled !== one.schema
  if (isRemote) faults.push(...(await faultsOfRemote(one)))
  for (const [name, validator] of validators) {
    const found = await judge(validator, copyFor(validator, one.bundled), one.value)
    if (found === one.isValid) agreeing.push(name)
    else faults.push(`${name}: ${found}, but the suite says ${one.isValid}`)
  }
  const reason = deviations.find(({ id }) => (id.endsWith('*') ? one.id.startsWith(id.slice(0, -1)) : id === one.id))
  const base = { id: one.id, group: `${one.draft} ${one.keyword}`, isRemote, agreeing }
  if (reason === undefined) return { ...base, outcome: faults.length === 0 ? 'passed' : 'failed', faults }
  if (faults.length > 0) return { ...base, outcome: 'skipped', faults }
  // An id that ends with `*` may also match cases that agree.
  return reason.id.endsWith('*')
    ? { ...base, outcome: 'passed', faults }
    : { ...base, outcome: 'failed', faults: ['is listed as a deviation, but both validators agree with the suite'] }
}

const copies = new WeakMap<Validator, WeakMap<object, object>>()

/** Returns the copy of a schema that this validator compiles. Copied and compiled once for all values of the schema. */
function copyFor(validator: Validator, schema: object): object {
  const own = copies.get(validator) ?? new WeakMap<object, object>()
  const copy = own.get(schema) ?? structuredClone(schema)
  copies.set(validator, own.set(schema, copy))
  return copy
}

/** Checks that a schema that refers to another document is refused. */
async function faultsOfRemote({ schema }: JsonSchemaCase): Promise<readonly string[]> {
  try {
    await validate(structuredClone(schema), {})
  } catch (error) {
    if (isToolError(error) && error.code === 'invalid_definition') return []
    throw error
  }
  return ['accepted with a reference to another document']
}

async function judge(validator: Validator, schema: object, value: unknown): Promise<boolean | string> {
  try {
    return (await validator(schema, value)).length === 0
  } catch (error) {
    return String(error)
  }
}

/** Runs a validator with code generation forbidden, as under a content security policy. */
function withoutCodeGeneration(validator: Validator): Validator {
  return async (schema, value) => {
    const { Function: original } = globalThis
    const forbidden = new Proxy(original, {
      construct() {
        throw new EvalError('Code generation is forbidden.')
      },
    })
    globalThis.Function = forbidden
    try {
      return await validator(schema, value)
    } finally {
      globalThis.Function = original
    }
  }
}

function summarize(verdicts: readonly JsonSchemaVerdict[]): SuiteResult {
  const keywords = mapGroups(verdicts, (of) => ({
    cases: of.length,
    ajv: of.filter(({ agreeing }) => agreeing.includes('ajv')).length,
    interpreter: of.filter(({ agreeing }) => agreeing.includes('interpreter')).length,
    remote: of.filter(({ isRemote }) => isRemote).length,
    listed: countAll(of).skipped,
  }))
  const rows = Object.entries(keywords).map(([keyword, counts]) => ({ keyword, ...counts }))
  return { ...countAll(verdicts), metrics: { keywords }, failures: failuresOf(verdicts), rows }
}
