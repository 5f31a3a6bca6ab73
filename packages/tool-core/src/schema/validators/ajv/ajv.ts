/** The validator that generates code: AJV, loaded at first use. */
import type { Ajv, AnySchema, CodeKeywordDefinition, KeywordCxt, Options } from 'ajv'
import type { FormatsPlugin } from 'ajv-formats'
import { ToolError } from '../../../errors.ts'
import { NO_ISSUES } from '../../issue.ts'
import { countingTest } from '../../pattern.ts'
import { type LoadValidator, type SchemaFacts, withinLimits } from '../check.ts'
import { partsWithDeepLists } from '../deep-lists.ts'
import { loadFormats } from '../formats.ts'
import { explain } from '../issues/explain.ts'
import type { Failure } from '../issues/failure.ts'
import { exportsOf } from '../patterns/pattern-engines.ts'
import {
  countValues,
  MAX_STEPS,
  needsCounting,
  refers,
  STEPS,
  StepCounter,
  stepsOfAll,
  TooManySteps,
  withSteps,
} from '../steps.ts'
import { replaceKeywords } from './ajv-keywords.ts'
import { escapeKeysOnce } from './ajv-paths.ts'
import { type CodeOf, type CodeWords, checkRefsOnce, type RefInternals } from './ajv-refs.ts'
import { type Draft, draftOf } from './draft.ts'

/**
 * Each schema has its own AJV instance: a shared one rejects a second `$id`, mixes up `$ref`s, and retains all schemas. The first check
 * stops at the first error. An invalid value that isn't too large is then checked again for all of its errors.
 */
export const loadAjv: LoadValidator = async ({ nodes }) => {
  const ajvModule = await IMPORTS[draftOf(nodes)]()
  const internals = nodes.some(refers) ? await loadInternals() : undefined
  const addFormats = nodes.some(({ format }) => format !== undefined) ? await loadPlugin() : undefined
  const AjvClass = defaultOf<typeof Ajv>(ajvModule)
  const words = exportsOf(ajvModule as CodeWords)
  return (facts) => {
    const counter = new StepCounter()
    const deepParts = partsWithDeepLists(facts.schema)
    const isCounting = needsCounting(facts.nodes) || deepParts.size > 0
    const schema = isCounting ? withSteps(facts.schema, deepParts) : facts.schema
    const few = internals ? FEW_VALUES : Math.max(FEW_VALUES, FEW_STEPS / stepsOfAll(facts.nodes))
    const compile = (allErrors: boolean): ((value: unknown, steps: number) => readonly Failure[]) => {
      const ajv = new AjvClass({ ...OPTIONS, allErrors, code: { optimize: false, regExp: engineOf(facts, counter) } })
      addFormats?.(ajv, counter)
      if (isCounting) ajv.addKeyword(countingIn(counter, words._))
      const take = (steps: number) => counter.take(steps)
      const forgetRefs = internals && checkRefsOnce(ajv, internals, words, { byPlace: allErrors, take })
      const forgetNumbers = replaceKeywords(ajv, nodes, words._, take)
      const forgetKeys = escapeKeysOnce(ajv, words)
      const isValid = ajv.compile(schema as AnySchema)
      return (value, steps) => {
        forgetRefs?.()
        forgetNumbers()
        forgetKeys()
        counter.start(value, steps)
        return isValid(value) ? NO_FAILURES : (isValid.errors ?? NO_FAILURES)
      }
    }
    const findFirst = compile(false)
    let findAll: typeof findFirst | undefined
    const failuresOf = (value: unknown, first: readonly Failure[]): readonly Failure[] => {
      if (countValues(value, few) >= few) return first
      findAll ??= compile(true)
      try {
        const all = findAll(value, FEW_STEPS)
        return all.length > 0 ? all : first
      } catch (error) {
        if (error instanceof TooManySteps) return first
        throw error
      }
    }
    return withinLimits((value) => {
      const first = findFirst(value, MAX_STEPS)
      return first === NO_FAILURES ? NO_ISSUES : explain(facts, value, failuresOf(value, first))
    })
  }
}

const NO_FAILURES: readonly Failure[] = []

/** A value with more values gets only its first error, because recursive schemas keep results for each place. */
const FEW_VALUES = 10_000
/** Maximum number of steps to collect all errors. If there are more, a value gets only its first error. */
const FEW_STEPS = 1_000_000

async function loadInternals(): Promise<RefInternals> {
  const { SchemaEnv, resolveRef } = exportsOf(await import('ajv/dist/compile/index.js'))
  const { mergeEvaluated } = exportsOf(await import('ajv/dist/compile/util.js'))
  const { callValidateCode } = exportsOf(await import('ajv/dist/vocabularies/code.js'))
  return { SchemaEnv, resolveRef, mergeEvaluated, callValidateCode }
}

function countingIn(counter: StepCounter, _: CodeOf): CodeKeywordDefinition {
  const code = ({ gen, schema }: KeywordCxt) => gen.code(_`${gen.scopeValue('obj', { ref: counter })}.take(${schema})`)
  return { keyword: STEPS, before: '$ref', code }
}

const IMPORTS: Readonly<Record<Draft, () => Promise<unknown>>> = {
  'draft-07': () => import('ajv'),
  '2019-09': () => import('ajv/dist/2019.js'),
  '2020-12': () => import('ajv/dist/2020.js'),
}

const OPTIONS: Options = {
  ownProperties: true,
  strict: false,
  // JSON has no NaN and no Infinity.
  strictNumbers: true,
  logger: false,
  // These make the first compilation 20 times faster. Schemas are checked at definition.
  validateSchema: false,
  meta: false,
}

/** The default export of a CommonJS module, which has itself as `default`. A bundler may have unwrapped it. */
function defaultOf<T>(module: unknown): T {
  const { default: outer } = module as { readonly default: T & { readonly default?: T } }
  return outer.default ?? outer
}

type RegExpEngine = NonNullable<NonNullable<Options['code']>['regExp']>

function engineOf({ matchers }: SchemaFacts, counter: StepCounter): RegExpEngine {
  const engine = (source: string) => {
    const matcher = matchers.get(source)
    if (matcher === undefined) {
      throw new ToolError(
        'invalid_definition',
        `The pattern ${JSON.stringify(source)} is in a place that can't contain a schema. Move it to a property or to $defs.`,
      )
    }
    // AJV distinguishes matchers by `toString()`.
    return { test: countingTest(matcher, counter), toString: () => source } as ReturnType<RegExpEngine>
  }
  return Object.assign(engine, { code: 'undefined' })
}

/** Adds the formats and the keywords that compare them. Detecting an invalid regular expression is slow, so it counts many steps. */
async function loadPlugin(): Promise<(ajv: Ajv, counter: StepCounter) => void> {
  const addFormats = defaultOf<FormatsPlugin>(await import('ajv-formats'))
  const { url, regex } = await loadFormats()
  return (ajv, counter) => {
    const isRegex = (text: string) => {
      counter.take(STEPS_OF_A_REGEX + text.length)
      return (regex as (text: string) => boolean)(text)
    }
    addFormats(ajv).addFormat('url', url).addFormat('regex', isRegex)
  }
}

const STEPS_OF_A_REGEX = 400
