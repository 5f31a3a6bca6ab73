/** The compiling validator: AJV, loaded at first use. */
import type { Ajv, AnySchema, Options } from 'ajv'
import type { FormatsPlugin } from 'ajv-formats'
import { ToolError } from '../errors.ts'
import { NO_ISSUES } from '../issue.ts'
import type { Matcher } from '../pattern.ts'
import { replaceKeywords } from './ajv-keywords.ts'
import { type Check, type LoadValidator, type SchemaFacts, withinStack } from './check.ts'
import { type Draft, draftOf } from './draft.ts'
import { explain } from './explain.ts'
import { loadFormats } from './formats.ts'
import { STEPS_OF_A_CHECK, stepsOf, TOO_MANY_STEPS } from './pattern-steps.ts'

/** Each schema has an AJV of its own: a shared one refuses a second `$id`, mixes their `$ref`s up, and keeps all of them. */
export const loadAjv: LoadValidator = async ({ nodes }) => {
  const AjvClass = defaultOf<typeof Ajv>(await IMPORTS[draftOf(nodes)]())
  const addFormats = nodes.some(({ format }) => format !== undefined) ? await loadPlugin() : undefined
  return (facts) => {
    const cut: Cut = { longest: undefined, steps: 0 }
    const ajv = new AjvClass({ ...OPTIONS, code: { optimize: false, regExp: engineOf(facts, cut) } })
    addFormats?.(ajv)
    replaceKeywords(ajv, nodes)
    const isValid = ajv.compile(facts.schema as AnySchema)
    const check = withinStack((value) => (isValid(value) ? NO_ISSUES : explain(facts, value, isValid.errors ?? [])))
    return withCut(check, facts, cut)
  }
}

const IMPORTS: Readonly<Record<Draft, () => Promise<unknown>>> = {
  'draft-07': () => import('ajv'),
  '2019-09': () => import('ajv/dist/2019.js'),
  '2020-12': () => import('ajv/dist/2020.js'),
}

const OPTIONS: Options = {
  allErrors: true,
  ownProperties: true,
  strict: false,
  // JSON has no NaN and no Infinity.
  strictNumbers: true,
  logger: false,
  // These make a first compile 20 times cheaper; schemas are checked at definition.
  validateSchema: false,
  meta: false,
}

/** A CommonJS module is its default export, which has itself as default; a bundler may have unwrapped it. */
function defaultOf<T>(module: unknown): T {
  const { default: outer } = module as { readonly default: T & { readonly default?: T } }
  return outer.default ?? outer
}

/** What was not matched, and what was, during one check. */
interface Cut {
  /** The longest text of the pattern that met a longer one. */
  longest: number | undefined
  /** Taken by patterns that are slow. */
  steps: number
}

type RegExpEngine = NonNullable<NonNullable<Options['code']>['regExp']>

function engineOf({ matchers }: SchemaFacts, cut: Cut): RegExpEngine {
  const engine = (source: string) => {
    const matcher = matchers.get(source)
    if (matcher === undefined) {
      throw new ToolError('invalid_definition', `The pattern ${JSON.stringify(source)} is in a place where no schema can be.`)
    }
    return matcher.longest === Infinity ? matcher.expression : cutting(matcher, cut)
  }
  return Object.assign(engine, { code: 'undefined' })
}

function cutting({ expression, longest, cost }: Matcher, cut: Cut): ReturnType<RegExpEngine> {
  const test = (text: string) => {
    if (text.length > longest) {
      cut.longest = longest
      return false
    }
    cut.steps += stepsOf(cost, text.length)
    return cut.steps <= STEPS_OF_A_CHECK && expression.test(text)
  }
  // AJV tells matchers apart by their text.
  return { test, toString: () => String(expression) } as ReturnType<RegExpEngine>
}

/** A value passes only with every text tried: under a `not`, one that was not would pass. */
function withCut(check: Check, { matchers }: SchemaFacts, cut: Cut): Check {
  if ([...matchers.values()].every(({ longest }) => longest === Infinity)) return check
  return (value) => {
    cut.longest = undefined
    cut.steps = 0
    const issues = check(value)
    if (cut.steps > STEPS_OF_A_CHECK) return [TOO_MANY_STEPS]
    if (cut.longest === undefined || issues.some(({ keyword }) => keyword === 'pattern')) return issues
    const message = `holds a text that is too long for a pattern: at most ${cut.longest} characters`
    return [{ path: '', keyword: 'pattern', message, expected: `at most ${cut.longest} characters` }]
  }
}

/** The formats, and keywords that compare them. */
async function loadPlugin(): Promise<(ajv: Ajv) => void> {
  const addFormats = defaultOf<FormatsPlugin>(await import('ajv-formats'))
  const { url } = await loadFormats()
  return (ajv) => void addFormats(ajv).addFormat('url', url)
}
