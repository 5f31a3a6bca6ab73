/** Converts the tools of four official MCP servers to our tools. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { faultsOfCalls, toTools } from '../../test/definitions.ts'
import { listTools } from './mcp-servers.ts'

const folder = mkdtempSync(join(tmpdir(), 'mcp-'))
afterAll(() => rmSync(folder, { recursive: true }))

it.each<[server: string, args: readonly string[], tools: readonly string[]]>([
  ['everything', [], ['echo', 'get_sum']],
  ['filesystem', [folder], ['read_text_file', 'list_directory']],
  ['memory', [], ['create_entities', 'search_nodes']],
  ['sequential-thinking', [], ['sequentialthinking']],
])('the tools of the server "%s" become tools', async (server, args, some) => {
  const definitions = await listTools(`@modelcontextprotocol/server-${server}`, args)
  const { tools, refused } = toTools(definitions)
  expect(refused).toEqual([])
  expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining([...some]))
  expect(await faultsOfCalls(tools)).toEqual([])
})
