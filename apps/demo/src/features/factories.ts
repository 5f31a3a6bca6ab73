/** A factory that creates tools from options, with a callback that runs when the agent is created. */
import { createRegistry, defineToolFactory, tool } from '@x/registry'
import { defineTool } from '@x/tool-core'
import * as Type from 'typebox'
import { CATALOG } from '../domains/ecommerce/catalog.ts'
import { type Feature, printer } from './feature.ts'

export const factoryFeature: Feature = {
  name: 'factory',
  title: 'Create tools from options, given at once or in a callback',
  packages: '@x/registry',
  async play(stage) {
    const show = printer(stage)
    const topRated = defineToolFactory({
      name: 'top_rated',
      options: Type.Object({ most: Type.Integer({ minimum: 1 }) }),
      card: { description: 'List the best rated products', arguments: [] },
      create: ({ most }) =>
        defineTool({
          name: 'top_rated',
          description: 'List the best rated products',
          effect: 'read',
          args: Type.Object({}),
          execute: () =>
            [...CATALOG]
              .sort((one, other) => other.rating - one.rating)
              .slice(0, most)
              .map(({ name }) => name),
        }),
    })
    let most = 1
    const registry = createRegistry([
      tool(topRated, { most: 3 }, { as: 'top_three' }),
      tool(topRated, () => ({ most }), { as: 'top_late' }),
    ])
    most = 2
    show('option', 'top_three has { most: 3 }; the callback of top_late returns { most: 2 }, which replaces 1')
    for (const [name, count] of [
      ['top_three', 3],
      ['top_late', 2],
    ] as const) {
      const result = await registry.execute({ id: name, name, args: {} })
      const found = result.ok ? result.output : result.error.message
      show('result', `${name}: ${JSON.stringify(found)}`)
      stage.findings.expect(`the number of products of ${name}`, Array.isArray(found) ? found.length : found, count)
    }
  },
}
