/** Wrong uses of @x/mcp, each of which must be a type error. */
import { McpError } from '@x/mcp'
import '@x/mcp/server'

// @ts-expect-error a code is one of the union
new McpError('no_such_code', 'message')
