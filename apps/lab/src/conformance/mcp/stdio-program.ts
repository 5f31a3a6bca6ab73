/** An MCP server over stdio, as a user would write it. Ends when its client disconnects. */
import { serveMcp } from '@x/mcp/server'
import { defineTool } from '@x/tool-core'
import { Type } from 'typebox'

const pid = defineTool({
  name: 'pid',
  description: 'The id of this process.',
  args: Type.Object({}),
  effect: 'read',
  execute: () => process.pid,
})
const remove = defineTool({
  name: 'remove',
  description: 'Removes a file.',
  args: Type.Object({ path: Type.String() }),
  needsApproval: true,
  execute: ({ path }) => `removed ${path}`,
})

const server = serveMcp([pid, remove], { name: 'program', version: '1.0.0' })
await server.stdio()
await server.close()
