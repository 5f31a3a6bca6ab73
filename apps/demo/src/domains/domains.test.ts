import { createRegistry } from '@x/registry'
import { describe, expect, it } from 'vitest'
import { createDatabase } from '../sql/database.ts'
import { DOMAINS } from './index.ts'
import { loadDomain } from './load-domain.ts'

// No tool is called, so nothing is opened.
const settings = createDatabase({ kind: 'sqlite', file: ':memory:' })

describe('the domains', () => {
  it('name every tool that their requests expect, and each name once', async () => {
    const domains = await Promise.all(DOMAINS.map(loadDomain))
    const registry = createRegistry(domains.flatMap((domain) => domain.createTools(settings)))
    const requests = domains.flatMap(({ scenarios }) => scenarios.flatMap((scenario) => scenario.requests))
    for (const { tool } of requests.flatMap(({ expected }) => expected)) expect(registry.names).toContain(tool)
  })

  it('have at least fifty requests, twenty of them to the shop, and each has one that no tool serves', async () => {
    const counts = new Map<string, number>()
    for (const entry of DOMAINS) {
      const requests = (await loadDomain(entry)).scenarios.flatMap((scenario) => scenario.requests)
      expect(requests.some(({ expected }) => expected.length === 0)).toBe(true)
      counts.set(entry.name, requests.length)
    }
    expect(counts.get('ecommerce')).toBeGreaterThanOrEqual(20)
    expect([...counts.values()].reduce((sum, count) => sum + count)).toBeGreaterThanOrEqual(50)
  })

  it('take the user from the run, never from arguments', async () => {
    for (const entry of DOMAINS) {
      const tools = await createRegistry((await loadDomain(entry)).createTools(settings)).resolve()
      for (const { name, arguments: list } of tools.values())
        expect(
          list.filter((argument) => /user|customer|owner/.test(argument.name)),
          name,
        ).toEqual([])
    }
  })

  it('have the name under which they are listed', async () => {
    for (const entry of DOMAINS) expect((await loadDomain(entry)).name).toBe(entry.name)
  })

  it('describe every argument of every tool', async () => {
    for (const entry of DOMAINS) {
      const tools = await createRegistry((await loadDomain(entry)).createTools(settings)).resolve()
      for (const tool of tools.values()) {
        expect(tool.effect, tool.name).toBeDefined()
        for (const argument of tool.arguments) expect(argument.description, `${tool.name}.${argument.name}`).not.toBe('')
      }
    }
  })

  it('that cannot be imported fail with an error of four sections', async () => {
    const broken = { name: 'memory', title: 'Memory', examples: [], load: () => Promise.reject(new Error('Cannot find module')) }
    await expect(loadDomain(broken)).rejects.toMatchObject({
      name: 'ToolResolutionError',
      message: expect.stringMatching(/❌.*memory[\s\S]*Cannot find module[\s\S]*📂[\s\S]*💡[\s\S]*🔧/),
    })
  })
})
