/** A registry of eager and lazy tools with typed names. */
import { createRegistry, defineToolFactory, lazy, tool } from '@x/registry'
import { defineTool } from '@x/tool-core'
import { Type } from 'typebox'

const now = defineTool({ name: 'now', description: 'The time.', args: Type.Object({}), execute: () => new Date().toISOString() })
const search = async () =>
  defineTool({
    name: 'web_search',
    description: 'Searches.',
    args: Type.Object({ query: Type.String() }),
    execute: ({ query }) => query,
  })
const limited = defineToolFactory({
  name: 'site_search',
  options: Type.Object({ site: Type.String(), most: Type.Optional(Type.Integer()) }),
  create: ({ site, most }) =>
    defineTool({
      name: 'site_search',
      description: 'Searches a site.',
      args: Type.Object({ query: Type.String() }),
      execute: ({ query }) => `${site} ${query} ${most}`,
    }),
})

const registry = createRegistry([
  now,
  lazy('web_search', search, { description: 'Searches the web' }),
  tool(limited, { site: 'a' }, { as: 'search_a' }),
  tool(limited, () => ({ site: 'b', most: 3 }), { as: 'search_b' }),
])
export const names: readonly ('now' | 'web_search' | 'search_a' | 'search_b')[] = registry.names
export const resolved = await registry.resolve('web_search', 'search_a')
export const executed = await registry.execute({ id: '1', name: 'now', args: {} })
// @ts-expect-error: a name that isn't registered
await registry.resolve('web_serch')
