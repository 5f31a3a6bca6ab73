import { callTool } from '@x/tool-core'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { mcp } from './mcp.ts'

const RUNS = process.env.X_FULL ? 300 : 50

/** Creates a server of the stateless era that answers the listing and calls with anything. */
function answering(list: unknown, result: unknown): typeof fetch {
  return async (_, init) => {
    const { id, method } = JSON.parse(String(init?.body)) as { id?: number; method: string }
    const discovered = {
      resultType: 'complete',
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: {} },
      ttlMs: 0,
      cacheScope: 'private',
    }
    const answer = method === 'server/discover' ? discovered : method === 'tools/list' ? list : result
    return Response.json({ jsonrpc: '2.0', id, result: answer })
  }
}

const anything = fc.jsonValue({ maxDepth: 4 })
const complete = (members: Record<string, fc.Arbitrary<unknown>>) =>
  fc.record({ resultType: fc.constant('complete'), ttlMs: fc.constant(0), cacheScope: fc.constant('private'), ...members })
const name = fc.oneof(fc.string(), fc.constantFrom('a', '__proto__', 'constructor', 'then', '', 'x'.repeat(500)))
const schema = fc.oneof(
  anything,
  fc.record({ type: fc.constantFrom('object', 'string'), properties: anything, $ref: anything }, { requiredKeys: ['type'] }),
)
const tool = fc.record(
  { name, description: fc.string(), inputSchema: schema, outputSchema: schema, annotations: anything, title: anything },
  { requiredKeys: ['name', 'inputSchema'] },
)
const listing = fc.oneof(anything, complete({ tools: fc.array(tool, { maxLength: 5 }) }))
const block = fc.oneof(
  anything,
  fc.record(
    { type: fc.constantFrom('text', 'image', 'audio', 'resource', 'resource_link', 'other'), text: anything, data: anything },
    { requiredKeys: ['type'] },
  ),
)
const usable = complete({ tools: fc.constant([{ name: 'a', inputSchema: { type: 'object' } }]) })
const result = fc.oneof(
  anything,
  complete({ content: fc.array(block), structuredContent: anything, isError: anything }),
  fc.record(
    { resultType: fc.constant('input_required'), inputRequests: anything, requestState: anything },
    { requiredKeys: ['resultType'] },
  ),
)

it('whatever a server lists, the result is a list of tools or an McpError', async () => {
  await fc.assert(
    fc.asyncProperty(listing, async (list) => {
      const source = mcp('shop', { url: 'http://hostile.test', fetch: answering(list, null) })
      try {
        const tools = await source.tools()
        expect(tools.every((one) => one.name.startsWith('shop_'))).toBe(true)
        expect(new Set(tools.map((one) => one.name)).size).toBe(tools.length)
      } catch (error) {
        expect(error).toMatchObject({ name: 'McpError' })
      } finally {
        await source.close()
      }
    }),
    { numRuns: RUNS },
  )
})

it('whatever a server answers, the call returns a result', async () => {
  await fc.assert(
    fc.asyncProperty(usable, result, async (list, answer) => {
      const source = mcp('shop', { url: 'http://hostile.test', fetch: answering(list, answer) }, { maxRetries: 0 })
      const [one] = await source.tools()
      if (one === undefined) throw new Error('no tool')
      const called = await callTool(one, { id: '1', name: one.name, args: {} })
      if (!called.ok) expect(called.error).toMatchObject({ name: 'ToolError' })
      else expect(called.modelOutputError).toBeUndefined()
      await source.close()
    }),
    { numRuns: RUNS },
  )
})
