/** The tools of a request as one API takes them: shaped, named, and the way back. Made once per list. */
import type { ToolSpec } from '@x/tool-core'
import type { Message } from '../protocol.ts'
import type { Loss } from '../shaping/loss.ts'
import { createNames, type ToolNames } from '../shaping/names.ts'
import { type ShapedTool, shapeFor } from '../shaping/shape.ts'
import type { ToolRules } from '../shaping/tool-rules.ts'

export interface RequestTools {
  readonly tools: readonly ShapedTool[]
  readonly losses: readonly Loss[]
  readonly names: ToolNames
  /** Messages whose names or ids the wire does not take, as it takes them. */
  readonly changed: WeakMap<Message, Message>
  /** False when the list was changed since. */
  isOf(list: readonly ToolSpec[]): boolean
  /** By the name on the wire. */
  find(wireName: string): ShapedTool | undefined
}

const known = new WeakMap<readonly ToolSpec[], Map<string, RequestTools>>()

export function requestTools(tools: readonly ToolSpec[] | undefined, rules: ToolRules, strict: boolean): RequestTools {
  const list = tools ?? NONE
  const key = strict ? `${rules.id} strict` : rules.id
  const byRules = known.get(list) ?? new Map<string, RequestTools>()
  known.set(list, byRules)
  let made = byRules.get(key)
  if (made === undefined || !made.isOf(list)) {
    made = copiedFrom(list, key) ?? makeTools(list, rules, strict)
    byRules.set(key, made)
    remember(made, list, key)
  }
  return made
}

/** By the first tool: a program may well make a new list of the same tools for each request. */
const lastLists = new WeakMap<ToolSpec, Map<string, RequestTools>>()

function copiedFrom(list: readonly ToolSpec[], key: string): RequestTools | undefined {
  const [first] = list
  const last = first && lastLists.get(first)?.get(key)
  return last?.isOf(list) ? last : undefined
}

function remember(made: RequestTools, [first]: readonly ToolSpec[], key: string): void {
  if (first === undefined) return
  const byRules = lastLists.get(first) ?? new Map<string, RequestTools>()
  lastLists.set(first, byRules.set(key, made))
}

const NONE: readonly ToolSpec[] = Object.freeze([])

function makeTools(list: readonly ToolSpec[], rules: ToolRules, strict: boolean): RequestTools {
  const names = createNames(
    list.map((tool) => tool.function.name),
    rules.names,
  )
  const tools = shapeAll(list, rules, strict).map((shaped) => nameTool(shaped, names))
  const byName = new Map(tools.map((tool) => [tool.tool.function.name, tool]))
  const losses = tools.flatMap((tool) => tool.losses.map((loss) => ({ ...loss, tool: tool.name })))
  const specs = [...list]
  return {
    tools,
    names,
    losses,
    changed: new WeakMap(),
    isOf: (other) => other.length === specs.length && specs.every((spec, index) => spec === other[index]),
    find: (wireName) => byName.get(wireName),
  }
}

/** Where an API takes a number of strict tools only, the first ones are. */
function shapeAll(list: readonly ToolSpec[], rules: ToolRules, strict: boolean): readonly ShapedTool[] {
  const { maxStrict = Number.POSITIVE_INFINITY } = rules
  let left = maxStrict
  return list.map((tool) => {
    const shaped = shapeFor(tool, rules, { strict })
    if (!shaped.strict || left-- > 0) return shaped
    const plain = shapeFor(tool, rules)
    return {
      ...plain,
      losses: [...plain.losses, { path: '', keyword: 'strict', action: 'refused', note: `at most ${maxStrict} tools` }],
    }
  })
}

/** The same object for the same name, in whatever list, so that what is made of it can be kept. */
function nameTool(shaped: ShapedTool, { toWire }: ToolNames): ShapedTool {
  const wireName = toWire(shaped.name)
  if (wireName === shaped.tool.function.name) return shaped
  const known = named.get(shaped)
  if (known?.tool.function.name === wireName) return known
  const { tool } = shaped
  const renamed = { ...shaped, tool: { ...tool, function: { ...tool.function, name: wireName } } }
  named.set(shaped, renamed)
  return renamed
}

const named = new WeakMap<ShapedTool, ShapedTool>()
