/** Connects clients of the SDK's version 1, which most programs still use, to our server. */
import { PassThrough } from 'node:stream'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { serveMcp, type ToolServer } from '@x/mcp/server'
import { defineTool } from '@x/tool-core'
import { Type } from 'typebox'
import { afterEach, describe, expect, it } from 'vitest'

const steps = defineTool({
  name: 'steps',
  description: 'Reports its steps.',
  args: Type.Object({ count: Type.Integer() }),
  effect: 'read',
  async *execute({ count }) {
    for (let step = 1; step <= count; step++) yield { progress: step, total: count }
    return count
  },
})

const remove = defineTool({
  name: 'remove',
  description: 'Removes a file.',
  args: Type.Object({ path: Type.String() }),
  effect: 'destructive',
  needsApproval: true,
  execute: ({ path }) => `removed ${path}`,
})

const servers: ToolServer[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

async function connect(how: 'http' | 'stdio') {
  const server = serveMcp([steps, remove], { name: 'test', version: '1.0.0' })
  servers.push(server)
  const client = new Client({ name: 'test', version: '1.0.0' }, { capabilities: { elicitation: {} } })
  const forms: string[] = []
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    forms.push(params.message)
    return { action: 'accept', content: {} }
  })
  if (how === 'http') {
    const { url } = await server.listen()
    await client.connect(new StreamableHTTPClientTransport(new URL(url)) as never)
  } else {
    const [input, output] = [new PassThrough(), new PassThrough()]
    void server.stdio({ input, output })
    // The server's transport reads and writes lines in the same way as a client's.
    await client.connect(new StdioServerTransport(output, input))
  }
  return { client, forms }
}

describe.each(['http', 'stdio'] as const)('a client of version 1 over %s', (how) => {
  it('lists and calls tools, and receives progress', async () => {
    const { client } = await connect(how)
    const { tools } = await client.listTools()
    expect(tools.map(({ name, annotations }) => [name, annotations])).toEqual([
      ['steps', { readOnlyHint: true }],
      ['remove', { readOnlyHint: false, destructiveHint: true }],
    ])
    const seen: unknown[] = []
    const result = await client.callTool({ name: 'steps', arguments: { count: 3 } }, undefined, {
      onprogress: (update) => seen.push(update),
    })
    expect(result.content).toEqual([{ type: 'text', text: '3' }])
    expect(seen).toEqual([1, 2, 3].map((progress) => ({ progress, total: 3 })))
    await client.close()
  })

  it('receives a request for approval, or the reason why there is none', async () => {
    const { client, forms } = await connect(how)
    const result = await client.callTool({ name: 'remove', arguments: { path: '/a' } })
    if (how === 'stdio') {
      expect(result.content).toEqual([{ type: 'text', text: 'removed /a' }])
      expect(forms).toEqual(['Allow "remove" to run with these arguments? {"path":"/a"}'])
    } else {
      expect(result).toMatchObject({
        isError: true,
        content: [{ text: expect.stringContaining('an earlier MCP revision over HTTP') }],
      })
      expect(forms).toEqual([])
    }
    await client.close()
  })
})
