/** Checks whether an API accepts a tool's parameters unchanged, as it does for most tools. */

import { isLegalName } from './names.ts'
import type { SchemaRules } from './rules/tool-rules.ts'
import { isSchema, type SchemaNode, typeNamesOf } from './schema/keywords.ts'
import { isTooDeep } from './schema/too-deep.ts'

/** Returns true if the parameters can be sent unchanged. Returns false for a schema that is too deep or too large to check. */
export function isSentAsIs(parameters: SchemaNode, rules: SchemaRules): boolean {
  return hasNoForms(rules) && isPlainRoot(parameters, rules) && !isTooDeep(parameters) && isPlainInside(parameters, rules)
}

function hasNoForms({ keywords, others, ...rest }: SchemaRules): boolean {
  const isOpen = Object.keys(keywords).length === 0 && others.becomes === 'kept'
  return isOpen && Object.keys(rest).every((form) => AT_THE_EDGES.has(form))
}

const AT_THE_EDGES = new Set(['id', 'rootChoice', 'rootProperties', 'keys'])

function isPlainRoot(root: SchemaNode, { rootChoice, rootProperties }: SchemaRules): boolean {
  if (root.type !== 'object' || root.$ref !== undefined) return false
  if (rootProperties !== undefined && !isSchema(root.properties)) return false
  return rootChoice === undefined || !['anyOf', 'oneOf', 'allOf'].some((keyword) => Object.hasOwn(root, keyword))
}

/** Checks every key named `properties` or `type`, even where it isn't a schema keyword. */
function isPlainInside(root: SchemaNode, { keys }: SchemaRules): boolean {
  const stack: object[] = [root]
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    for (const [keyword, value] of Object.entries(node)) {
      if (keyword === 'type' && typeof value === 'string' && typeNamesOf(value).length === 0) return false
      if (typeof value !== 'object' || value === null) continue
      if (keyword === 'properties' && keys !== undefined && !Object.keys(value).every((key) => isLegalName(key, keys)))
        return false
      stack.push(value)
    }
  }
  return true
}
