/** Finds the parts of a schema that may apply to a path in a value. */
import { memberOf } from '../../pointer.ts'
import { isSchemaNode, type SchemaNode } from '../../schema.ts'
import { type LinkedSchema, linkedSchemaOf } from '../references/linked-schema.ts'

/** Returns the schemas that may apply to this path. If the schema has many parts, the result may be incomplete. */
export function schemasAt(schema: object, keys: readonly string[]): readonly SchemaNode[] {
  return schemasOnTheWay(schema, keys).at(-1) ?? []
}

/**
 * Returns a list of schemas for each step of the path. The first list applies to the value itself, and the others apply at one key each.
 */
export function schemasOnTheWay(schema: object, keys: readonly string[]): readonly (readonly SchemaNode[])[] {
  const { schema: root, targets } = linkedSchemaOf(schema)
  let nodes = spread([root], targets)
  const way = [nodes]
  for (const key of keys) {
    nodes = spread(
      nodes.flatMap((node) => childrenAt(node, key)),
      targets,
    )
    way.push(nodes)
  }
  return way
}

const MAX_NODES = 200
const COMBINED = ['anyOf', 'oneOf', 'allOf'] as const
const APPLIED = ['if', 'then', 'else', 'not'] as const
const DEPENDENT = ['dependentSchemas', 'dependencies'] as const
const BY_POSITION = ['items', 'prefixItems'] as const
const OF_ALL = ['additionalProperties', 'unevaluatedProperties', 'additionalItems', 'unevaluatedItems', 'contains'] as const

/** Returns the nodes together with all nodes that they combine or refer to. */
function spread(start: readonly unknown[], targets: LinkedSchema['targets']): readonly SchemaNode[] {
  const found = new Set<SchemaNode>()
  const stack = [...start]
  while (stack.length > 0 && found.size < MAX_NODES) {
    const node = stack.pop()
    if (!isSchemaNode(node) || found.has(node)) continue
    found.add(node)
    for (const keyword of COMBINED) if (Array.isArray(node[keyword])) stack.push(...(node[keyword] as unknown[]))
    for (const keyword of APPLIED) stack.push(node[keyword])
    for (const keyword of DEPENDENT) if (isSchemaNode(node[keyword])) stack.push(...Object.values(node[keyword]))
    stack.push(targets.get(node))
  }
  return [...found]
}

function childrenAt(node: SchemaNode, key: string): readonly unknown[] {
  const children = [memberOf(node.properties, key)]
  if (isSchemaNode(node.patternProperties)) children.push(...Object.values(node.patternProperties))
  for (const keyword of BY_POSITION) {
    const list = node[keyword]
    children.push(Array.isArray(list) ? list[Number(key)] : list)
  }
  for (const keyword of OF_ALL) children.push(node[keyword])
  return children.filter(isSchemaNode)
}
