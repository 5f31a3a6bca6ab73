import { createRegistry } from '@x/registry'
import { expect, it } from 'vitest'
import { describeTools } from './described-tools.ts'
import { OWN_TOOLS } from './own-tools.ts'

const { entries, renamed } = describeTools(OWN_TOOLS)
const registry = createRegistry(entries)

it('has valid names, each once, and a description and arguments for each', () => {
  expect(OWN_TOOLS.length).toBeGreaterThan(50)
  expect(renamed).toBe(0)
  expect(new Set(OWN_TOOLS.map(({ name }) => name)).size).toBe(OWN_TOOLS.length)
  for (const { description, parameters } of OWN_TOOLS) {
    expect(description).toMatch(/^[A-Z].{10}/)
    expect(Object.keys(parameters.properties as object)).not.toContain('')
  }
})

it.each([
  ['Provide me with climate data for the region of Europe', 'get_climate_data'],
  ['Find a shelter near the specified address', 'find_shelter'],
  ['When is high tide at the harbour of Bergen?', 'get_tide'],
  ['What can I cook with eggs and spinach? I need a recipe.', 'find_recipe'],
  ['How many euros are 100 dollars? Look up the exchange rate.', 'get_exchange_rate'],
])('finds the tool for "%s" first', async (request, name) => {
  expect((await registry.search(request))[0]?.name).toBe(name)
})
