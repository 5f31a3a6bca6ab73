import { createRegistry } from '@x/registry'
import { describe, expect, it } from 'vitest'
import { DOMAINS, loadDomain } from './index.ts'

describe('the domains', () => {
  it('name every tool that their requests expect, and each name once', async () => {
    const domains = await Promise.all(DOMAINS.map(loadDomain))
    const registry = createRegistry(domains.flatMap((domain) => domain.createTools({ database: ':memory:' })))
    for (const { requests } of domains)
      for (const { tool } of requests.flatMap(({ expected }) => expected)) expect(registry.names).toContain(tool)
  })

  it('have the name under which they are listed', async () => {
    for (const entry of DOMAINS) expect((await loadDomain(entry)).name).toBe(entry.name)
  })

  it('describe every argument of every tool', async () => {
    for (const entry of DOMAINS) {
      const tools = await createRegistry((await loadDomain(entry)).createTools({ database: ':memory:' })).resolve()
      for (const tool of tools.values()) {
        expect(tool.effect, tool.name).toBeDefined()
        for (const argument of tool.arguments) expect(argument.description, `${tool.name}.${argument.name}`).not.toBe('')
      }
    }
  })

  it('that cannot be imported fail with the four sections', async () => {
    const broken = { name: 'memory', title: 'Memory', load: () => Promise.reject(new Error('Cannot find module')) }
    await expect(loadDomain(broken)).rejects.toMatchObject({
      name: 'ToolResolutionError',
      message: expect.stringMatching(/❌.*memory[\s\S]*Cannot find module[\s\S]*📂[\s\S]*💡[\s\S]*🔧/),
    })
  })
})
