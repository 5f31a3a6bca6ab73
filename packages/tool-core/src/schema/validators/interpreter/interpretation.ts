/** Validates values by interpreting a schema. Each subschema becomes a list of rules. */
import { isSchemaNode, type SchemaNode } from '../../schema.ts'
import { TextLengths } from '../ajv/text-length.ts'
import type { SchemaFacts } from '../check.ts'
import { isLong, ValueNumbers } from '../equal.ts'
import type { Failure } from '../issues/failure.ts'
import { assertKind } from '../keyword-kinds.ts'
import { ObjectNames } from '../object-names.ts'
import type { Resource } from '../references/references.ts'
import { Results } from '../results.ts'
import { type StepCounter, stepsOf } from '../steps.ts'
import { childrenOf, isDefinitions } from '../subschemas.ts'
import { Evaluated, isUnevaluated } from './evaluated.ts'
import { APPLICATORS } from './interpreted-applicators.ts'
import { ASSERTIONS, type Work } from './interpreted-assertions.ts'
import { MEMBER_RULES, UNEVALUATED_RULES } from './interpreted-members.ts'
import { type At, Place, PlacedFailure } from './interpreted-place.ts'
import type { DefineRule, Rule, Run, SchemaWay } from './interpreted-rule.ts'

interface Part {
  readonly steps: number
  readonly rules: readonly Rule[]
  /** Rules that run last, because they depend on what the other rules have evaluated. */
  readonly lastRules: readonly Rule[]
}

/** The resources on the path to a subschema, each listed once. If several of them have the same anchor, the outermost one is used. */
interface Scope {
  readonly resources: readonly Resource[]
  readonly inner: Map<Resource, Scope>
  readonly results: Map<SchemaNode, Results<Result>>
}

interface Result {
  readonly evaluated: Evaluated | undefined
  readonly place: Place
  /** The first failure of an invalid value. */
  readonly failure: PlacedFailure | undefined
}

export class Interpretation implements Run {
  readonly facts: SchemaFacts
  readonly work: Work
  readonly isTracking: boolean
  readonly #parts = new Map<SchemaNode, Part>()
  #scope = toScope([])
  #failures: PlacedFailure[] = []
  #collects = false
  #unions = 0

  constructor(facts: SchemaFacts, counter: StepCounter, formats: Work['formats']) {
    const take = (steps: number) => counter.take(steps)
    const { matchers } = facts
    this.facts = facts
    const [numbers, names, lengths] = [new ValueNumbers(take), new ObjectNames(take), new TextLengths(take)]
    this.work = { counter, take, numbers, names, lengths, matchers, formats }
    this.isTracking = facts.nodes.some(isUnevaluated)
    this.#compileAll()
  }

  /** Returns the failures of a value: all of them, or only those of the first rule that fails. */
  failuresOf(value: unknown, collects: boolean): readonly Failure[] {
    this.#scope = toScope([])
    this.#failures = []
    this.#collects = collects
    this.#unions = 0
    this.work.numbers.forget()
    this.work.names.forget()
    const root = new Place()
    this.evaluate(this.facts.schema, value, { data: root, schema: root })
    return this.#failures
  }

  evaluate(schema: unknown, value: unknown, at: At): Evaluated | undefined {
    if (!isSchemaNode(schema)) {
      this.work.take(STEPS_OF_A_BOOLEAN)
      if (schema !== false) return NOTHING
      this.fail(at, 'false schema', {})
      return undefined
    }
    const { rules, lastRules, steps } = this.#partOf(schema)
    this.work.take(steps)
    const scope = this.#scope
    this.#scope = this.#scopeOf(schema)
    const evaluated = this.isTracking ? new Evaluated(this.work.take) : NOTHING
    // A loop uses less stack space than callbacks.
    let isValid = true
    for (const rule of rules) {
      if (rule(value, at, evaluated)) continue
      isValid = false
      if (!this.#collects) break
    }
    if (isValid) for (const rule of lastRules) isValid = rule(value, at, evaluated) && isValid
    this.#scope = scope
    return isValid ? evaluated : undefined
  }

  evaluateOnce(target: SchemaNode, value: unknown, at: At): Evaluated | undefined {
    if (isLong(value)) this.work.take(value.length / CHARACTERS_OF_A_STEP)
    const { results } = this.#scope
    const ofTarget = results.get(target) ?? new Results<Result>()
    results.set(target, ofTarget)
    const seen = ofTarget.at(this.#collects ? at.data : undefined, value)
    const known = seen.get(value)
    if (known !== undefined) {
      if (known.failure !== undefined) {
        this.work.take(STEPS_OF_A_FAILURE)
        this.#failures.push(movedTo(at, known.failure, known.place))
      }
      return known.evaluated
    }
    const start = this.#failures.length
    const evaluated = this.evaluate(target, value, at)
    const failure = evaluated === undefined ? this.#failures[start] : undefined
    seen.set(value, { evaluated, place: at.data, failure })
    return evaluated
  }

  outermost(name: string): SchemaNode | undefined {
    const { dynamic } = this.facts
    for (const resource of this.#scope.resources) {
      const anchored = dynamic?.anchors.get(resource)?.get(name)
      if (anchored !== undefined) return anchored
    }
    return undefined
  }

  every<Item>(items: readonly Item[], passes: (item: Item) => boolean): boolean {
    let isValid = true
    for (const item of items) {
      if (passes(item)) continue
      isValid = false
      if (!this.#collects) break
    }
    return isValid
  }

  get collects(): boolean {
    return this.#collects
  }

  evaluateQuietly(schema: unknown, value: unknown, at: At): Evaluated | undefined {
    const [start, collects] = [this.#failures.length, this.#collects]
    this.#collects = false
    const evaluated = this.evaluate(schema, value, at)
    this.#collects = collects
    this.#failures.length = start
    return evaluated
  }

  startUnion(): number {
    this.#unions++
    return this.#failures.length
  }

  endUnion(start: number, isValid: boolean): void {
    this.#unions--
    if (isValid) this.#failures.length = start
  }

  fail(at: At, keyword: string, params: Failure['params'], message?: string): false {
    this.work.take(STEPS_OF_A_FAILURE)
    this.#failures.push(new PlacedFailure(at, keyword, params, message))
    // Stops collecting, because further failures are never read. Within a union, collecting continues, because the union may discard its
    // failures.
    if (this.#failures.length > MAX_FAILURES && this.#unions === 0) this.#collects = false
    return false
  }

  evaluateMember(schema: unknown, member: unknown, at: At, key: string | number, [keyword, name]: SchemaWay): boolean {
    // While failures are collected, results are cached by place. The same place must therefore always be the same object.
    const data = this.#collects ? at.data.at(key) : new Place(at.data, key)
    return this.evaluate(schema, member, { data, schema: new Place(at.schema, keyword, name) }) !== undefined
  }

  /** Compiles all parts, so that a mistake throws even if no value ever uses the part. */
  #compileAll(): void {
    const { schema, targets, dynamic } = this.facts
    const pending = [schema, ...targets.values()]
    for (const anchors of dynamic?.anchors.values() ?? []) pending.push(...anchors.values())
    for (const node of pending) {
      if (this.#parts.has(node)) continue
      this.#partOf(node)
      for (const { child, keyword } of childrenOf(node)) if (!isDefinitions(keyword)) pending.push(child)
    }
  }

  #scopeOf(node: SchemaNode): Scope {
    const resource = this.facts.dynamic?.resources.get(node)
    const scope = this.#scope
    if (resource === undefined || scope.resources.includes(resource)) return scope
    const known = scope.inner.get(resource) ?? toScope([...scope.resources, resource])
    scope.inner.set(resource, known)
    return known
  }

  #partOf(node: SchemaNode): Part {
    const known = this.#parts.get(node)
    if (known !== undefined) return known
    for (const [keyword, value] of Object.entries(node)) assertKind(keyword, value)
    if ('id' in node) throw new Error('NOT SUPPORTED: keyword "id", use "$id" for schema ID')
    const part = { steps: STEPS_OF_A_PART + stepsOf(node), rules: [] as Rule[], lastRules: [] as Rule[] }
    this.#addAssertions(node, part.rules)
    this.#addRules(node, part.rules, APPLICATORS)
    this.#addRules(node, part.rules, MEMBER_RULES)
    this.#addRules(node, part.lastRules, UNEVALUATED_RULES)
    this.#parts.set(node, part)
    return part
  }

  #addAssertions(node: SchemaNode, rules: Rule[]): void {
    for (const keyword in ASSERTIONS) {
      const faultOf = node[keyword] === undefined ? undefined : ASSERTIONS[keyword]?.(node[keyword], node, this.work)
      if (faultOf === undefined) continue
      rules.push((value, at) => {
        const fault = faultOf(value)
        return fault === undefined || this.fail(at, keyword, fault.params, fault.message)
      })
    }
  }

  #addRules(node: SchemaNode, rules: Rule[], definitions: Readonly<Record<string, DefineRule>>): void {
    for (const keyword in definitions) {
      const rule = node[keyword] === undefined ? undefined : definitions[keyword]?.(node[keyword], node, this)
      if (rule !== undefined) rules.push(rule)
    }
  }
}

const NOTHING = new Evaluated()
/** Steps counted for evaluating a part. The interpreter takes as long for it as AJV takes for this many steps. */
const STEPS_OF_A_PART = 30
/** Steps counted for evaluating a schema that is `true` or `false`. */
const STEPS_OF_A_BOOLEAN = 5
const STEPS_OF_A_FAILURE = 30
const CHARACTERS_OF_A_STEP = 32
/** Maximum number of failures to collect. Further failures are never read. */
const MAX_FAILURES = 1_000

function toScope(resources: readonly Resource[]): Scope {
  return { resources, inner: new Map(), results: new Map() }
}

/** Moves the failure of a cached result to another place. Equal strings and numbers share their cached results. */
function movedTo(at: At, failure: PlacedFailure, place: Place): PlacedFailure {
  const { keyword, params, message } = failure
  if (failure.at.data !== place || place === at.data) return failure
  return new PlacedFailure({ data: at.data, schema: failure.at.schema }, keyword, params, message)
}
