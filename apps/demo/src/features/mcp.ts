/** The tools of two domains, served over MCP and used by an agent as those of a server. */

import { defineSignature } from '@x/adapters'
import { mcp } from '@x/mcp'
import { serveMcp } from '@x/mcp/server'
import { createReactAgent } from '@x/react-agent'
import { createRegistry } from '@x/registry'
import { createDemoTools } from '../agent/demo-tools.ts'
import { loadDomain } from '../domains/load-domain.ts'
import { IN_MEMORY } from '../sql/place.ts'
import { createLiveView, showAnswer } from '../view/live-view.ts'
import { type Feature, printer } from './feature.ts'

const REQUEST = 'Translate "Good morning" to French'
const SERVED = ['language', 'treasure_hunt']

export const mcpFeature: Feature = {
  name: 'mcp',
  title: 'Serve tools over MCP, and use those of a server',
  packages: '@x/mcp',
  async play(stage) {
    const { lm, entries, terminal, signal, findings } = stage
    const domains = await Promise.all(entries.filter(({ name }) => SERVED.includes(name)).map(loadDomain))
    const tools = createDemoTools({ domains, place: { kind: 'sqlite', file: IN_MEMORY } })
    const registry = createRegistry(tools.entries, { name: 'served' })
    await registry.preload()
    const server = serveMcp(registry, { name: 'demo', version: '0.0.0' })
    try {
      const { url } = await server.listen({ port: 0 })
      const source = mcp('demo', { url }, { trust: ['readOnlyHint'] })
      await using agent = await createReactAgent({
        name: 'guest',
        lm,
        tools: [source],
        signature: defineSignature('request -> answer'),
      })
      const names = (await source.tools()).map(({ name }) => name)
      printer(stage)('tools', `${names.length} of the server: ${names.join(', ')}`)
      const run = agent.run({ request: REQUEST }, { signal })
      const view = createLiveView(terminal, REQUEST)
      printer(stage)('request', REQUEST)
      for await (const event of run.stream()) view(event)
      const { outputs } = await run
      const answer = String(outputs.answer)
      showAnswer(terminal, { answer, answered: true })
      findings.expect('the tools of the server', names.length, registry.names.length)
      findings.expect('the answer', answer.includes('[fr] Good morning'), true)
    } finally {
      await server.close()
      await tools.close()
    }
  },
}
