/** Creates the SDK's server for one HTTP request or one stdio connection. */
import type { CallToolResult, InputRequiredResult, McpRequestContext, McpServer } from '@modelcontextprotocol/server'
import { jsonSchema } from '@x/tool-core'
import { CLIENT_WITHOUT_FORMS, OLD_CLIENT_OVER_HTTP } from '../prompts.ts'
import { type CallParams, serveCall } from './call-tool.ts'
import type { Connection, Shared } from './connection.ts'
import type { ServedTools } from './served-tools.ts'

/** Creates the server, which isn't connected yet. `values` are passed to the tools of a stdio connection. */
export async function createServer(shared: Shared, request: McpRequestContext, values?: object): Promise<McpServer> {
  const { sdk, tools, settings, codec } = shared
  const { era, authInfo, requestInfo } = request
  const { name, version } = settings
  const registry = await tools.open()
  const instructions = isAskedFor(request) ? (settings.instructions ?? registry.instructions?.join('\n\n')) : undefined
  const mcp = new sdk.McpServer(
    { name, version },
    {
      capabilities: { tools: { listChanged: true } },
      ...(instructions && { instructions }),
      requestState: { verify: codec.verify },
      cacheHints: { 'tools/list': { ttlMs: settings.listTtlMs, cacheScope: 'private' } },
    },
  )
  const { server } = mcp
  server.onerror = settings.report
  // Over HTTP, one handler for all requests notifies the clients of changes.
  if (requestInfo === undefined) server.onclose = tools.onChange(() => mcp.sendToolListChanged())
  await declareHeaders(mcp, request, tools)
  const connection: Connection = {
    ...shared,
    era,
    values: authInfo === undefined ? values : (authInfo.extra?.values as object | undefined),
    whyNotAsked() {
      if (requestInfo !== undefined) return OLD_CLIENT_OVER_HTTP
      return server.getClientCapabilities()?.elicitation === undefined ? CLIENT_WITHOUT_FORMS : undefined
    },
    project: (result, schema) => server.projectCallToolResult(result, schema as Record<string, unknown> | undefined),
  }
  server.setRequestHandler('tools/list', async ({ params }) => {
    const page = (await tools.listing()).page(params?.cursor, settings.pageSize)
    if (page !== undefined) return { ...page }
    throw new sdk.ProtocolError(sdk.ProtocolErrorCode.InvalidParams, 'Invalid cursor. List the tools again from the first page.')
  })
  server.setRequestHandler(
    'tools/call',
    { params: AS_SENT },
    async (params, context): Promise<CallToolResult | InputRequiredResult> => serveCall(params, context, connection),
  )
  return mcp
}

/**
 * Returns the parameters as the client sent them. The SDK has already validated them, with a copy that lacks a key `__proto__` of the
 * arguments. Without it, the tool would run instead of refusing the arguments.
 */
const AS_SENT = {
  '~standard': {
    version: 1,
    vendor: '@x/mcp',
    validate: (value: unknown) => ({ value: value as CallParams }),
    types: undefined as { readonly input: CallParams; readonly output: CallParams } | undefined,
  },
} as const

/**
 * Returns false if this request can't return the instructions. Collecting them from all entries would slow down each page of a
 * long list. The SDK has already checked that `Mcp-Method` matches the body.
 */
function isAskedFor({ era, requestInfo }: McpRequestContext): boolean {
  return era === 'legacy' || requestInfo === undefined || requestInfo.headers.get('mcp-method') === 'server/discover'
}

/**
 * Registers the called tool if its schema declares `x-mcp-header`. The SDK then checks that the `Mcp-Param-*` headers match the
 * arguments. It has already checked that `Mcp-Name` matches the body. The handlers that the SDK registers are replaced.
 */
async function declareHeaders(mcp: McpServer, { era, requestInfo }: McpRequestContext, tools: ServedTools): Promise<void> {
  const header = requestInfo?.headers.get('mcp-name')
  if (era === 'legacy' || header === null || header === undefined) return
  const name = decoded(header)
  const definition = (await tools.listing()).get(name)
  if (definition === undefined || !declaresHeader(definition.inputSchema)) return
  mcp.registerTool(name, { inputSchema: jsonSchema(definition.inputSchema) }, () => ({ content: [] }))
}

/** Decodes a header, which may be base64-encoded. Tool names are ASCII. */
function decoded(header: string): string {
  const encoded = /^=\?base64\?(.*)\?=$/.exec(header)?.[1]
  return encoded === undefined ? header : atob(encoded)
}

const declaring = new WeakMap<object, boolean>()

function declaresHeader(schema: object): boolean {
  const known = declaring.get(schema)
  if (known !== undefined) return known
  const declares = JSON.stringify(schema).includes('"x-mcp-header"')
  declaring.set(schema, declares)
  return declares
}
