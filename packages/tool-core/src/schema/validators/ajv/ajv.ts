/** Validates with AJV, which generates code. Loaded at first use. */
import type { Ajv, CodeKeywordDefinition, KeywordCxt, Options, Plugin, Vocabulary } from 'ajv'
import { ToolError } from '../../../errors.ts'
import { countingTest } from '../../pattern.ts'
import { type FindFailures, type LoadValidator, type SchemaFacts, toCheck } from '../check.ts'
import { partsWithDeepLists } from '../deep-lists.ts'
import { loadFormats } from '../formats.ts'
import type { Failure } from '../issues/failure.ts'
import { exportsOf } from '../patterns/pattern-engines.ts'
import { needsCounting, refers, STEPS, StepCounter, withSteps } from '../steps.ts'
import { replaceKeywords } from './ajv-keywords.ts'
import { countLoops } from './ajv-loops.ts'
import { escapeKeysOnce } from './ajv-paths.ts'
import { type CodeWords, checkRefsOnce, type RefInternals } from './ajv-refs.ts'
import type { Draft } from './draft.ts'

/**
 * Creates a separate AJV instance for each schema. A shared instance would reject a second `$id`, mix up `$ref`s, and keep all schemas in
 * memory.
 */
export const loadAjv: LoadValidator = async ({ nodes, draft }) => {
  const ajvModule = await import('ajv/dist/core.js')
  const vocabularies = await VOCABULARIES[draft]()
  const hasNext = draft !== 'draft-07'
  const internals = nodes.some(refers) ? await loadInternals() : undefined
  const addFormats = nodes.some(({ format }) => format !== undefined) ? await loadPlugin() : undefined
  const AjvClass = defaultOf<typeof Ajv>(ajvModule)
  const words = exportsOf(ajvModule as unknown as CodeWords)
  return (facts) => {
    const counter = new StepCounter()
    const deepParts = partsWithDeepLists(facts.schema)
    const isCounting = needsCounting(facts.nodes) || deepParts.size > 0
    const schema = isCounting ? withSteps(facts.schema, deepParts) : facts.schema
    const findFailures = (allErrors: boolean): FindFailures => {
      const code = { optimize: false, regExp: engineOf(facts, counter) }
      const ajv = new AjvClass({ ...OPTIONS, dynamicRef: hasNext, next: hasNext, unevaluated: hasNext, allErrors, code })
      for (const vocabulary of vocabularies) ajv.addVocabulary(vocabulary)
      addFormats?.(ajv, counter)
      if (isCounting) ajv.addKeyword(countingIn(counter, words))
      const take = (steps: number) => counter.take(steps)
      const forgetRefs = internals && checkRefsOnce(ajv, internals, words, { byPlace: allErrors, take })
      const forgetWork = replaceKeywords(ajv, nodes, words._, take)
      const forgetKeys = escapeKeysOnce(ajv, words)
      countLoops(ajv, words._, take)
      const isValid = (ajv as unknown as Compiler).compile(schema)
      return (value, steps) => {
        forgetRefs?.()
        forgetWork()
        forgetKeys()
        counter.start(value, steps)
        return isValid(value) ? NO_FAILURES : (isValid.errors ?? NO_FAILURES)
      }
    }
    return toCheck(facts, findFailures)
  }
}

/** The part of AJV that this file uses. AJV's own types for schemas would slow down type checking for users. */
interface Compiler {
  compile(schema: object): ((value: unknown) => boolean) & { readonly errors?: readonly Failure[] | null }
}

const NO_FAILURES: readonly Failure[] = []

async function loadInternals(): Promise<RefInternals> {
  const { SchemaEnv, resolveRef } = exportsOf(await import('ajv/dist/compile/index.js'))
  const { callValidateCode } = exportsOf(await import('ajv/dist/vocabularies/code.js'))
  return { SchemaEnv, resolveRef, callValidateCode }
}

function countingIn(counter: StepCounter, { _, Name }: CodeWords): CodeKeywordDefinition {
  const code = ({ gen, schema, it: { allErrors, compositeRule } }: KeywordCxt) => {
    const steps = gen.scopeValue('obj', { ref: counter })
    // Outside a union, the first error ends the check.
    const hasErrors = allErrors || compositeRule
    gen.code(hasErrors ? _`${steps}.takeWithErrors(${schema}, ${new Name('errors')})` : _`${steps}.take(${schema})`)
  }
  return { keyword: STEPS, before: '$ref', code }
}

/** The keywords of each draft. AJV's classes for the drafts would also load their metaschemas, which aren't used. */
const VOCABULARIES: Readonly<Record<Draft, () => Promise<readonly Vocabulary[]>>> = {
  'draft-07': async () => defaultOf(await import('ajv/dist/vocabularies/draft7.js')),
  '2019-09': async () => [
    ...defaultOf<readonly Vocabulary[]>(await import('ajv/dist/vocabularies/draft7.js')),
    defaultOf<Vocabulary>(await import('ajv/dist/vocabularies/dynamic/index.js')),
    defaultOf<Vocabulary>(await import('ajv/dist/vocabularies/next.js')),
  ],
  '2020-12': async () => defaultOf(await import('ajv/dist/vocabularies/draft2020.js')),
}

const OPTIONS: Options = {
  ownProperties: true,
  strict: false,
  // JSON has no NaN and no Infinity.
  strictNumbers: true,
  logger: false,
  // These options make the first compilation 20 times faster. Schemas are already checked at definition.
  validateSchema: false,
  meta: false,
}

/**
 * Returns the default export of a CommonJS module. In Node, it's the `default` of the module's `default`, but a bundler may have unwrapped
 * it.
 */
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
    // AJV uses `toString()` to detect that it already has a matcher.
    return { test: countingTest(matcher, counter), toString: () => source } as ReturnType<RegExpEngine>
  }
  return Object.assign(engine, { code: 'undefined' })
}

/** Loads the formats, and the keywords that compare them. */
async function loadPlugin(): Promise<(ajv: Ajv, counter: StepCounter) => void> {
  const addKeywords = defaultOf<Plugin<undefined>>(await import('ajv-formats/dist/limit.js'))
  const formatsFor = await loadFormats()
  return (ajv, counter) => {
    addKeywords(ajv)
    for (const [name, format] of Object.entries(formatsFor(counter))) ajv.addFormat(name, format)
  }
}
