/** Merges the args schemas of several actions into one. */
import type { TObject } from 'typebox'
import type { Action } from '../define/action.ts'
import { ToolError } from '../errors.ts'
import { propertiesOf, requiredOf, type SchemaNode } from '../schema/schema.ts'

/** Merges the args schemas. If two actions declare the same argument differently, throws an `invalid_definition` error that names both. */
export function mergeArgs(owner: string, actions: readonly Action[]): TObject {
  const properties = new Map<string, SchemaNode>()
  const declaredBy = new Map<string, string>()
  for (const { name, args } of actions) {
    assertMergeable(owner, name, args as unknown as SchemaNode)
    for (const [argument, schema] of Object.entries(propertiesOf(args as unknown as SchemaNode))) {
      const known = properties.get(argument)
      if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema)) {
        throw new ToolError(
          'invalid_definition',
          `${owner}: "${declaredBy.get(argument)}" and "${name}" declare the argument "${argument}" differently. Rename it in one of them, or give both the same schema.`,
        )
      }
      properties.set(argument, schema)
      declaredBy.set(argument, name)
    }
  }
  const required = [...new Set(actions.flatMap(({ args }) => requiredOf(args as unknown as SchemaNode)))]
  return { type: 'object', properties: Object.fromEntries(properties), required } as unknown as TObject
}

const MERGEABLE = new Set(['$schema', 'type', 'properties', 'required', 'title', 'description', 'additionalProperties'])

function assertMergeable(owner: string, name: string, args: SchemaNode): void {
  const other = Object.keys(args).find((keyword) => !MERGEABLE.has(keyword))
  if (other === undefined && (args.additionalProperties ?? false) === false) return
  throw new ToolError(
    'invalid_definition',
    `${owner}: the args of "${name}" use "${other ?? 'additionalProperties'}", which can't be merged with the args of another action. Use plain properties.`,
  )
}
