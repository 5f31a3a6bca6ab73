/** Misuses of @x/mcp. Each one must be a type error. */
import { type Elicit, McpError, type McpOutput, mcp } from '@x/mcp'
import { readMcpConfig } from '@x/mcp/config'
import { type ServeMcpOptions, serveMcp } from '@x/mcp/server'
import type { Tool } from '@x/tool-core'

// @ts-expect-error a code must be in the union
new McpError('no_such_code', 'message')
// @ts-expect-error a server must have a command or a URL
mcp('shop', { program: 'node' })
const shop = mcp('shop', { command: 'node', args: ['server.mjs'] }, { trust: ['readOnlyHint'] })
// @ts-expect-error there is no such annotation
mcp('shop', { url: 'http://localhost' }, { trust: ['safeHint'] })
// @ts-expect-error fingerprints are strings
export const pin: number = (await shop.fingerprints()).shop_pay
// @ts-expect-error an answer must have an action
export const elicit: Elicit = () => ({ content: {} })
declare const output: McpOutput
// @ts-expect-error data is unknown until it is checked
export const sum: number = output.structuredContent
// @ts-expect-error variables are names
readMcpConfig('mcp.json', { variables: { TOKEN: 'abc' } })

declare const tool: Tool
const server = serveMcp([tool], { name: 'shop', version: '1.0.0' })
// @ts-expect-error a version is required
serveMcp([tool], { name: 'shop' })
// @ts-expect-error a single tool isn't a list of tools
serveMcp(tool, { name: 'shop', version: '1.0.0' })
// @ts-expect-error a port is a number
server.listen({ port: '80' })
// @ts-expect-error a refusal must be a response
export const authorize: ServeMcpOptions['authorize'] = () => false
