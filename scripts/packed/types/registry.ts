/** Misuses of @x/registry. Each one must be a type error. */
import { createRegistry, defineToolFactory, searchTool, tool } from '@x/registry'
import { fromFolder } from '@x/registry/node'
import { mockRegistry } from '@x/registry/testing'
import { defineTool } from '@x/tool-core'
import * as Type from 'typebox'

const find = defineToolFactory({
  name: 'find',
  options: Type.Object({ limit: Type.Integer() }),
  create: ({ limit }) =>
    // @ts-expect-error a limit is a number
    defineTool({ name: 'find', description: 'Finds.', args: Type.Object({}), execute: () => limit.text }),
})
// @ts-expect-error a limit is a number
tool(find, { limit: 'ten' })
// @ts-expect-error options need a schema
defineToolFactory({ name: 'find', options: 'limit', create: find.create })
const registry = createRegistry([find])
// @ts-expect-error no such tool
registry.resolve('fnd')
// @ts-expect-error a query is text
searchTool(registry).execute({ query: 1 })
// @ts-expect-error a folder must be a path or a URL
fromFolder(1)
// @ts-expect-error a count is a number
mockRegistry({}).expectResolved('find', 'once')
