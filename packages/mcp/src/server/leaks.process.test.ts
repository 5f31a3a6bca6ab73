/** Runs in a process of its own, because it counts the resources of the process. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { createRegistry } from '@x/registry'
import { defineTool } from '@x/tool-core'
import { Type } from 'typebox'
import { expect, it, vi } from 'vitest'
import { modernRequest } from '../../test/server/clients.ts'
import { hangingTool } from '../../test/server/hanging-tool.ts'
import { serveMcp } from './serve-mcp.ts'

const CONNECTS = process.env.X_FULL ? 1_000 : 100

it(`${CONNECTS} connects, calls and closes leave no socket, timer or listener`, async () => {
  const echo = defineTool({ name: 'echo', description: 'Echoes.', args: Type.Object({}), execute: () => 'echo' })
  const registry = createRegistry([echo])
  const stops = vi.fn()
  const follow = vi.spyOn(registry, 'onChange').mockImplementation(() => stops)
  const before = openSockets()
  const server = serveMcp(registry, { name: 'test', version: '1.0.0' })
  const { url } = await server.listen()
  for (let connect = 0; connect < CONNECTS; connect++) {
    const client = new Client(
      { name: 'test', version: '1.0.0' },
      { versionNegotiation: { mode: connect % 2 === 0 ? 'auto' : 'legacy' } },
    )
    await client.connect(new StreamableHTTPClientTransport(new URL(url)))
    expect((await client.callTool({ name: 'echo' })).content).toEqual([{ type: 'text', text: 'echo' }])
    await client.close()
  }
  await server.close()
  expect(follow).toHaveBeenCalledTimes(1)
  expect(stops).toHaveBeenCalledTimes(1)
  await expect.poll(openSockets).toEqual(before)
  expect(timers()).toBeLessThan(CONNECTS / 10)
})

it(`${CONNECTS} connections that are dropped in a call end the call`, async () => {
  const { tool, aborted, started } = hangingTool()
  const before = openSockets()
  const server = serveMcp([tool], { name: 'test', version: '1.0.0' })
  const { url } = await server.listen()
  const request = modernRequest('tools/call', { name: 'hangs', arguments: {} })
  const body = await request.text()
  for (let connect = 0; connect < CONNECTS; connect++) {
    const gone = new AbortController()
    const running = started()
    const call = fetch(url, { method: 'POST', headers: request.headers, body, signal: gone.signal })
    call.catch(() => {})
    await running
    gone.abort()
  }
  await expect.poll(() => aborted.mock.calls.length).toBe(CONNECTS)
  await server.close()
  await expect.poll(openSockets).toEqual(before)
  expect(timers()).toBeLessThan(CONNECTS / 10)
})

function openSockets(): readonly string[] {
  return process.getActiveResourcesInfo().filter((kind) => kind.startsWith('TCP'))
}

/** Returns the number of timers. A leak would add one timer for each connect. Clients and the test runner use a few. */
function timers(): number {
  return process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length
}
