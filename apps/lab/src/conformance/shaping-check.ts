/** One tool, shaped for one target, and what is wrong with that. */
import { type BrokenRule, breaksRule, type Loss, type SchemaRules, type ShapedTool, shapeSpec } from '@x/adapters/wire'
import type { ToolSpec } from '@x/tool-core'
import type { ShapingCase } from './shaping-case.ts'
import { type Judgement, judge } from './shaping-judge.ts'
import { unaccounted } from './shaping-keywords.ts'
import type { ShapingTarget } from './shaping-targets.ts'
import type { Verdict } from './verdict.ts'

export interface ShapingVerdict extends Verdict {
  readonly losses: readonly Loss[]
  readonly strict: boolean
  readonly restores: boolean
  readonly isSame: boolean
  /** Undefined when nothing had to be judged, or no validator takes the schemas. */
  readonly judgement: Judgement | undefined
}

/** (a) no rule is broken, (b) no keyword is lost in silence, (c) values as reported, (d) what was taken stays so, (e) strict fits. */
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
    ...(judgement?.faults ?? []).map((fault) => `(c) ${fault}`),
    ...(one.kind === 'accepted' ? acceptedFaults(one, isStrict && rules.strict ? rules.strict : rules.schema) : []),
    ...strictFaults(one, isStrict, shaped),
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

/** What a provider took can break a rule only where the rule says so itself. */
function acceptedFaults({ schema }: ShapingCase, rules: SchemaRules): readonly string[] {
  const broken = breaksRule(schema, rules)
  if (broken === undefined) return []
  const form = (rules as unknown as Readonly<Record<string, { readonly exception?: string } | undefined>>)[broken.rule]
  const isListed = (form?.exception ?? rules.keywords[broken.rule]?.exception) !== undefined
  return isListed ? [] : wordsOf('(d) accepted, but', broken)
}

function strictFaults({ expectsError }: ShapingCase, isStrict: boolean, { losses, strict }: ShapedTool): readonly string[] {
  const isTold = losses.some(({ action }) => action === 'refused')
  if (isStrict && !strict && !isTold) return ['(e) strict is not used, and nothing says why']
  if (!isStrict && strict) return ['(e) strict was not asked for']
  return expectsError && !strict && losses.length === 0 ? ['what no API takes is shaped without a word'] : []
}

function wordsOf(which: string, broken: BrokenRule | undefined): readonly string[] {
  return broken === undefined ? [] : [`${which} ${broken.rule} at ${broken.path || 'the root'}: ${broken.why}`]
}
