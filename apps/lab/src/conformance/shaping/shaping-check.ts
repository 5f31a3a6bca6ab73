/** Shapes one tool for one target and lists the problems. */
import { type BrokenRule, breaksRule, type Loss, type SchemaRules, type ShapedTool, shapeSpec } from '@x/adapters/wire'
import type { ToolSpec } from '@x/tool-core'
import type { Verdict } from '../verdict.ts'
import type { ShapingCase } from './shaping-case.ts'
import { belowFloor } from './shaping-floor.ts'
import { type Judgement, judge } from './shaping-judge.ts'
import { unaccounted } from './shaping-keywords.ts'
import type { ShapingTarget } from './shaping-targets.ts'
import { missingFromDescriptions } from './shaping-words.ts'

export interface ShapingVerdict extends Verdict {
  readonly losses: readonly Loss[]
  readonly strict: boolean
  readonly restores: boolean
  readonly isSame: boolean
  /** Undefined if the schema is unchanged, or if no validator accepts the schemas. */
  readonly judgement: Judgement | undefined
}

/**
 * Returns the violations of these rules:
 *
 * - (a) The shaped schema breaks no rule of the target.
 * - (b) Every lost keyword is reported.
 * - (c) The accepted values differ only as reported.
 * - (d) The target's rules allow every schema that a provider accepted.
 * - (e) Strict mode is used if it was requested, or a loss gives the reason. Otherwise, it isn't used.
 * - (f) Everything that an existing converter sends is sent. If the converter throws, a loss is reported.
 */
export function checkShaping(
  one: ShapingCase,
  group: string,
  { rules, strict }: ShapingTarget,
  instances: number,
): ShapingVerdict {
  const isStrict = strict || one.strict
  const tool: ToolSpec = { type: 'function', function: { name: one.name, description: one.description, parameters: one.schema } }
  const shaped = shapeSpec(tool, rules, { strict: isStrict })
  const { name, parameters } = shaped.tool.function
  const dialect = shaped.strict ? (rules.strict ?? rules.schema) : rules.schema
  const isSame = parameters === one.schema
  const judgement = isSame ? undefined : judge({ original: one.schema, shaped: parameters, ...shaped }, instances, SEED)
  const faults = [
    ...(one.wireName !== undefined && name !== one.wireName ? [`the name is ${name}, not ${one.wireName}`] : []),
    ...(rules.names.pattern.test(name) && name.length <= rules.names.maxLength ? [] : [`the name ${name} is not legal`]),
    ...wordsOf('(a)', breaksRule(parameters, dialect)),
    ...(isSame ? [] : unaccounted(one.schema, parameters, shaped.losses).map((fault) => `(b) ${fault}`)),
    ...missingFromDescriptions(one.schema, parameters, shaped.losses).map((fault) => `(b) ${fault}`),
    ...(judgement?.faults ?? []).map((fault) => `(c) ${fault}`),
    ...(one.kind === 'accepted' ? acceptedFaults(one, isStrict && rules.strict ? rules.strict : rules.schema) : []),
    ...strictFaults(isStrict, shaped),
    ...belowFloor(one, group, shaped).map((fault) => `(f) ${fault}`),
    ...errorFaults(one, shaped).map((fault) => `(f) ${fault}`),
  ]
  return {
    id: one.kind === 'document' ? `${one.id} ${group}` : one.id,
    group,
    outcome: faults.length === 0 ? 'passed' : 'failed',
    faults,
    losses: shaped.losses,
    strict: shaped.strict,
    restores: shaped.restores,
    isSame,
    judgement,
  }
}

const SEED = 20_260_219

/** Returns a fault if a schema that the provider accepted breaks a rule without a listed exception. */
function acceptedFaults({ schema }: ShapingCase, rules: SchemaRules): readonly string[] {
  const broken = breaksRule(schema, rules)
  if (broken === undefined) return []
  const form = (rules as unknown as Readonly<Record<string, { readonly exception?: string } | undefined>>)[broken.rule]
  const isListed = (form?.exception ?? rules.keywords[broken.rule]?.exception) !== undefined
  return isListed ? [] : wordsOf('(d) accepted, but', broken)
}

function strictFaults(isStrict: boolean, { losses, strict }: ShapedTool): readonly string[] {
  const isReported = losses.some(({ action }) => action === 'refused')
  if (isStrict && !strict && !isReported) return ['(e) strict mode is not used, and no loss gives the reason']
  return !isStrict && strict ? ['(e) strict mode was not requested'] : []
}

/** Requires a loss if the existing converter throws. The message of that error isn't compared. */
function errorFaults({ kind, expected, errorCode }: ShapingCase, { losses }: ShapedTool): readonly string[] {
  if (kind === 'request' && expected === undefined && errorCode === undefined)
    return ['the row has neither expected_parameters nor expected_error']
  if (errorCode === undefined) return []
  const counts = ERROR_CODES.get(errorCode)
  if (counts === undefined) return [`expected_error: cannot check the code ${errorCode}`]
  return losses.some(counts) ? [] : ['the converter rejects the schema, but no loss is reported']
}

/** The losses that count as a report of each error code. A nullable optional property doesn't prevent strict mode. */
const ERROR_CODES: ReadonlyMap<string, (loss: Loss) => boolean> = new Map([
  ['throws', () => true],
  ['invalid_schema', () => true],
  ['not_strict_compatible', ({ keyword }: Loss) => keyword !== 'nullable'],
])

function wordsOf(which: string, broken: BrokenRule | undefined): readonly string[] {
  return broken === undefined ? [] : [`${which} ${broken.rule} at ${broken.path || 'the root'}: ${broken.why}`]
}
