/** Compares a shaped schema with the output of an existing converter. The shaped schema must contain everything that the converter keeps. */
import { isDeepStrictEqual } from 'node:util'
import type { Loss, ShapedTool } from '@x/adapters/wire'
import { pointerSegment } from '@x/tool-core'
import { isSameJson, show } from '../compare.ts'
import type { ShapingCase } from './shaping-case.ts'
import { ADDED_KEYWORDS, FLOOR_EXCEPTIONS, MISSING_PARAMETERS, wireNamesOf } from './shaping-floor-exceptions.ts'
import { isNode, type Node, type Place, placeAt, placeOf } from './shaping-place.ts'

/**
 * Returns one line for each expected keyword that is missing or has a different value, and for each keyword that is neither in the
 * converter's output nor in the original schema. Keywords that only the converter drops may be sent. `FLOOR_EXCEPTIONS` lists allowed
 * differences.
 */
export function belowFloor(
  { expected, schema }: ShapingCase,
  dialect: string,
  { tool, losses, strict }: ShapedTool,
): readonly string[] {
  const sent = tool.function.parameters as Node
  if (expected === undefined) return []
  if (expected === null) return isEmpty(sent) && MISSING_PARAMETERS.dialects.includes(dialect) ? [] : ['expected no parameters']
  if (!isNode(expected)) return [`expected_parameters: cannot check ${show(expected)}`]
  const walk = new Walk(dialect, losses, strict)
  walk.compare(expected, sent, placeOf(schema), '')
  return walk.faults
}

/** Returns true for an object schema without properties, which a wire format may send instead of omitting the parameters. */
function isEmpty({ type, properties = {}, required = [], description: _, title: __, ...others }: Node): boolean {
  return type === 'object' && isDeepStrictEqual([properties, required], [{}, []]) && Object.keys(others).length === 0
}

class Walk {
  readonly faults: string[] = []
  readonly #dialect: string
  readonly #losses: readonly Loss[]
  readonly #isStrict: boolean
  /** Keyed by the JSON pointer of the property. */
  readonly #wireNames: ReadonlyMap<string, string>

  constructor(dialect: string, losses: readonly Loss[], isStrict: boolean) {
    this.#dialect = dialect
    this.#losses = losses
    this.#isStrict = isStrict
    this.#wireNames = wireNamesOf(losses)
  }

  compare(expected: Node, sent: unknown, place: Place, at: string): void {
    if (!isNode(sent)) {
      this.#fail(at, expected, sent)
      return
    }
    const wanted = this.#inOurForm(expected, place)
    for (const [keyword, value] of Object.entries(wanted)) this.#keyword(keyword, value, sent, place, at)
    for (const keyword of Object.keys(sent))
      if (!Object.hasOwn(wanted, keyword) && !this.#isFounded(keyword, place))
        this.#fail(`${at}/${keyword}`, undefined, sent[keyword])
  }

  /** Returns true if the keyword is in the original, a loss at the same place explains it, or the API requires it. */
  #isFounded(keyword: string, place: Place): boolean {
    const isFromOriginal = place.some(({ node }) => Object.hasOwn(node, keyword))
    const isLossy = this.#lossesAt(place).some((loss) => loss.keyword !== 'nullable')
    return isFromOriginal || isLossy || ADDED_KEYWORDS.some((added) => this.#isAbout(added) && added.keywords.includes(keyword))
  }

  #isAbout({ dialects }: { readonly dialects: readonly string[] }): boolean {
    return dialects.includes(this.#dialect)
  }

  #inOurForm(expected: Node, place: Place): Node {
    const context = { place, losses: this.#lossesAt(place), refusals: this.#refusals(), isStrict: this.#isStrict }
    const exceptions = FLOOR_EXCEPTIONS.filter((one) => this.#isAbout(one))
    return exceptions.reduce((node, { rewrite }) => rewrite(node, context), expected)
  }

  #keyword(keyword: string, expected: unknown, node: Node, place: Place, outer: string): void {
    const sent = node[keyword]
    const at = `${outer}/${keyword}`
    if (MAPS.has(keyword) && isNode(expected)) {
      for (const [name, inner] of Object.entries(expected))
        this.#inner(
          inner,
          isNode(sent) ? sent[this.#wireName(name, place)] : undefined,
          placeAt(place, keyword, name),
          `${at}/${name}`,
        )
    } else if (LISTS.has(keyword) && Array.isArray(expected)) {
      if (!Array.isArray(sent) || sent.length !== expected.length) this.#fail(at, expected, sent)
      else
        for (const [index, one] of expected.entries())
          this.#inner(one, sent[index], placeAt(place, keyword, String(index)), `${at}/${index}`)
    } else if (INNER.has(keyword)) this.#inner(expected, sent, placeAt(place, keyword), at)
    else if (keyword === 'required') {
      const names = Array.isArray(expected) ? expected.map((name) => this.#wireName(String(name), place)) : expected
      if (!isSameJson(sorted(names), sorted(sent ?? []))) this.#fail(at, expected, sent)
    } else if (keyword === 'description' && this.#isContinued(expected, sent, place)) return
    else if (!isSameJson(expected, sent)) this.#fail(at, expected, sent)
  }

  #wireName(name: string, place: Place): string {
    const pointers = place.map(({ path }) => `${path}/properties/${pointerSegment(name)}`)
    return pointers.flatMap((pointer) => this.#wireNames.get(pointer) ?? [])[0] ?? name
  }

  #inner(expected: unknown, sent: unknown, place: Place, at: string): void {
    if (isNode(expected)) this.compare(expected, sent, place, at)
    else if (!isSameJson(expected, sent)) this.#fail(at, expected, sent)
  }

  /** Returns true if keywords that the API doesn't support were appended to the description, as reported by a loss. */
  #isContinued(expected: unknown, sent: unknown, place: Place): boolean {
    const isMoved = this.#lossesAt(place).some(({ action }) => action === 'moved_to_description')
    return isMoved && typeof sent === 'string' && sent.startsWith(`${expected}\n`)
  }

  #lossesAt(place: Place): readonly Loss[] {
    return this.#losses.filter(({ path }) => place.some((view) => view.path === path))
  }

  #refusals(): readonly Loss[] {
    return this.#losses.filter(({ action }) => action === 'refused')
  }

  #fail(at: string, expected: unknown, sent: unknown): void {
    this.faults.push(`below expected_parameters at ${at || 'the root'}: expected ${show(expected)}, found ${show(sent)}`)
  }
}

const MAPS = new Set(['properties', '$defs', 'definitions', 'patternProperties', 'dependentSchemas'])
const LISTS = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems', 'items'])
const INNER = new Set([
  'items',
  'additionalProperties',
  'additionalItems',
  'contains',
  'not',
  'if',
  'then',
  'else',
  'propertyNames',
])

function sorted(list: unknown): unknown {
  return Array.isArray(list) ? [...list].sort() : list
}
