/** Converts arguments for a shaped schema back to arguments for the original one. */
import { fits } from './fits.ts'
import { isSchema, type SchemaNode } from './schema/keywords.ts'

/** The changes to undo, in a value and in the values inside it. */
export interface RestorePlan {
  /** Plans for properties, by the names in the shaped schema. */
  readonly properties?: ReadonlyMap<string, PropertyPlan> | undefined
  /** Plan for all other properties. */
  readonly others?: RestorePlan | undefined
  /** Plans for the first items of an array, by position. */
  readonly first?: readonly (RestorePlan | undefined)[] | undefined
  readonly items?: RestorePlan | undefined
  /** Original values, by the strings that replaced them. */
  readonly texts?: ReadonlyMap<string, unknown> | undefined
  /** Plans for choices. The first choice whose schema matches the value determines the plan. */
  readonly choices?: readonly { readonly schema: SchemaNode; readonly plan: RestorePlan | undefined }[] | undefined
  /** Reference to a definition whose plan is used. */
  readonly reference?: string | undefined
  /** Plans for other schemas that the same value may match. */
  readonly also?: readonly RestorePlan[] | undefined
}

export interface PropertyPlan {
  readonly name: string
  /** True if null means that the property is omitted. */
  readonly isOptional: boolean
  readonly plan: RestorePlan | undefined
}

export interface Restoration {
  readonly plan: RestorePlan | undefined
  readonly plans: ReadonlyMap<string, RestorePlan>
  /** The shaped schema, in which references are resolved. */
  readonly schema: SchemaNode
}

/** Returns the old and new names of renamed properties, except those in definitions. */
export function renamedIn(plan: RestorePlan | undefined, found = new Set<string>()): ReadonlySet<string> {
  if (plan === undefined) return found
  for (const [wireName, { name, plan: inner }] of plan.properties ?? []) {
    if (name !== wireName) found.add(name).add(wireName)
    renamedIn(inner, found)
  }
  const { others, items, first = [], choices = [], also = [] } = plan
  for (const inner of [others, items, ...first, ...choices.map((choice) => choice.plan), ...also]) renamedIn(inner, found)
  return found
}

/** Maximum depth. Deeper values aren't changed, because validation rejects them. */
const MAX_DEPTH = 512

/** Undoes the changes in a value. Returns the same value if there is nothing to undo. */
export function restoreValue(value: unknown, { plan, ...rest }: Restoration, depth = 0): unknown {
  if (plan === undefined || depth > MAX_DEPTH) return value
  if (plan.texts !== undefined && typeof value === 'string') return plan.texts.has(value) ? plan.texts.get(value) : value
  const inner = (one: unknown, other: RestorePlan | undefined) => restoreValue(one, { plan: other, ...rest }, depth + 1)
  let restored = value
  if (plan.reference !== undefined) restored = inner(restored, rest.plans.get(plan.reference))
  if (plan.choices !== undefined)
    restored = inner(restored, plan.choices.find(({ schema }) => fits(value, schema, rest.schema))?.plan)
  for (const other of plan.also ?? []) restored = inner(restored, other)
  if (Array.isArray(restored)) return restoreItems(restored, plan, inner)
  return isSchema(restored) ? restoreProperties(restored, plan, inner) : restored
}

type Inner = (value: unknown, plan: RestorePlan | undefined) => unknown

function restoreItems(items: readonly unknown[], { first = [], items: plan }: RestorePlan, inner: Inner): readonly unknown[] {
  const restored = items.map((item, index) => inner(item, index < first.length ? first[index] : plan))
  return restored.every((item, index) => item === items[index]) ? items : restored
}

function restoreProperties(value: SchemaNode, { properties, others }: RestorePlan, inner: Inner): SchemaNode {
  if (properties === undefined && others === undefined) return value
  let isChanged = false
  const restored: [string, unknown][] = []
  for (const [wireName, one] of Object.entries(value)) {
    const property = properties?.get(wireName)
    const other = inner(one, property === undefined ? others : property.plan)
    const name = property?.name ?? wireName
    if (property?.isOptional && one === null) {
      isChanged = true
      continue
    }
    // The model may have written a property under both its old and its new name. Then the value under the new name isn't renamed,
    // unless the old name is also the new name of another property, which is renamed too.
    const isTaken = name !== wireName && Object.hasOwn(value, name) && !properties?.has(name)
    isChanged ||= other !== one || name !== wireName
    restored.push([isTaken ? wireName : name, other])
  }
  return isChanged ? Object.fromEntries(restored) : value
}
