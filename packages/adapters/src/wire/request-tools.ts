/**
 * Shapes and renames a request's tools for one API, and finds tools by the names that are sent. Results are cached for each list of
 * tools.
 */
import type { ToolSpec } from '@x/tool-core'
import { createNames, type ToolNames } from '../shaping/names.ts'
import { isUnchanged, RulesCache, type SpecSnapshot, snapshotOf } from '../shaping/rules/rules-cache.ts'
import type { ToolRules } from '../shaping/rules/tool-rules.ts'
import { type ShapedTool, shapeFor, withWireName } from '../shaping/shape.ts'

export interface RequestTools {
  readonly tools: readonly ShapedTool[]
  readonly names: ToolNames
  /** True if the list contains the same tools and none of them has changed since the results were cached. */
  isOf(list: readonly ToolSpec[]): boolean
  /** Finds a tool by the name that is sent. */
  find(wireName: string): ShapedTool | undefined
}

export function requestTools(list: readonly ToolSpec[], rules: ToolRules, strict: boolean): RequestTools {
  const known = byList.get(list, rules, strict)
  if (known?.isOf(list)) return known
  const made = makeTools(list, rules, strict)
  byList.set(list, rules, strict, made)
  return made
}

const byList = new RulesCache<readonly ToolSpec[], RequestTools>()

function makeTools(list: readonly ToolSpec[], rules: ToolRules, strict: boolean): RequestTools {
  const wrong = list.findIndex((spec: Partial<ToolSpec>) => typeof spec?.function?.name !== 'string')
  if (wrong >= 0) throw new TypeError(`The request's tools[${wrong}] is not a tool spec. Convert it with toSpec(tool).`)
  const names = createNames(
    list.map((tool) => tool.function.name),
    rules.names,
  )
  const tools = shapeAll(list, rules, strict).map((shaped) => withWireName(shaped, names.toWire(shaped.name)))
  const byName = new Map(tools.map((tool) => [tool.tool.function.name, tool]))
  const specs = [...list]
  const snapshots = list.map(snapshotOf)
  const isSame = (spec: ToolSpec, index: number) => spec === specs[index] && isUnchanged(spec, snapshots[index] as SpecSnapshot)
  const fixed = Object.isFrozen(list) && list.every(isFrozen) ? list : undefined
  return {
    tools,
    names,
    isOf: (other) => other === fixed || (other.length === specs.length && other.every(isSame)),
    find: (wireName) => byName.get(wireName),
  }
}

/** True for the specs of `toSpec`. */
function isFrozen(spec: ToolSpec): boolean {
  return Object.isFrozen(spec) && Object.isFrozen(spec.function)
}

/** Shapes all tools. If the API limits the number of strict tools, the first ones are strict. */
function shapeAll(list: readonly ToolSpec[], rules: ToolRules, strict: boolean): readonly ShapedTool[] {
  const { maxStrict = Number.POSITIVE_INFINITY } = rules
  let left = maxStrict
  return list.map((tool) => {
    const shaped = shapeFor(tool, rules, { strict })
    if (!shaped.strict || left-- > 0) return shaped
    const plain = shapeFor(tool, rules)
    return {
      ...plain,
      losses: [
        ...plain.losses,
        { path: '', keyword: 'strict', action: 'refused', note: `at most ${maxStrict} tools can be strict` },
      ],
    }
  })
}
