/** Shapes the parameters of a tool for one dialect. */
import { withPointers } from '@x/tool-core'
import { rootPlaces } from './engine/root.ts'
import { shapeNode } from './engine/shape-node.ts'
import { Shaping, WHOLE } from './engine/shaping.ts'
import { excessOf } from './limits.ts'
import type { Loss } from './loss.ts'
import type { Restoration } from './restore.ts'
import type { SchemaRules } from './rules/tool-rules.ts'
import { isSchema, type SchemaNode } from './schema/keywords.ts'
import type { Place } from './schema/place.ts'
import { findRecursion } from './schema/recursion.ts'
import { isTooDeep } from './schema/too-deep.ts'

export interface ShapedSchema {
  readonly schema: SchemaNode
  readonly losses: readonly Loss[]
  /** The loss because of which the strict dialect can't be used. */
  readonly refusal: Loss | undefined
  /** The plan to restore arguments. Undefined if they never need it. */
  readonly restoration: Restoration | undefined
}

export function shapeSchema(parameters: SchemaNode, rules: SchemaRules): ShapedSchema {
  const isCut = isTooDeep(parameters)
  const root = isCut ? parameters : (withPointers(parameters) as SchemaNode)
  const shaping = new Shaping(root, rules, shapeNode)
  if (isCut) shaping.cut('', 'nested too deeply, or too large')
  const { schema, plan } = isCut ? { schema: EMPTY, plan: undefined } : shapeRoot(root, shaping)
  if (plan !== undefined) shaping.plans.set('#', plan)
  if (shaping.refusal === undefined) refuse(schema, shaping)
  const { losses, refusal, plans } = shaping
  return { schema, losses, refusal, restoration: shaping.restores ? { plan, plans, schema } : undefined }
}

function shapeRoot(parameters: SchemaNode, shaping: Shaping): ReturnType<typeof shapeNode> {
  const root: Place = { node: parameters, path: '', trail: { pointer: '', outer: undefined } }
  const places = rootPlaces(root, shaping)
  if (places === undefined) {
    shaping.lose('', WHOLE, shaping.rules.strict ? 'refused' : 'dropped', 'parameters must be an object')
    return { schema: EMPTY }
  }
  const { schema, plan } = shapeNode(places, shaping, 0)
  const isMissing = shaping.rules.rootProperties !== undefined && !isSchema(schema.properties)
  return { schema: isMissing ? { ...schema, properties: {} } : schema, plan }
}

const EMPTY: SchemaNode = Object.freeze({ type: 'object', properties: Object.freeze({}) })

/** Checks the rules that apply to the schema as a whole, and reports why it can't be strict. */
function refuse(schema: SchemaNode, shaping: Shaping): void {
  const { recursion, limits } = shaping.rules
  const reference = recursion?.is === 'refused' ? findRecursion(schema) : undefined
  if (reference !== undefined) shaping.lose('', '$ref', 'refused', `${reference} is recursive`)
  const excess = limits === undefined ? undefined : excessOf(schema, limits)
  if (excess !== undefined) shaping.lose('', WHOLE, 'refused', excess)
}
