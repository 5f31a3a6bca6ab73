/** The client program for the MCP conformance suite. Each scenario starts it with the URL of a server. */
import { ClientCredentialsProvider, PrivateKeyJwtProvider } from '@modelcontextprotocol/client'
import { type McpOptions, type McpSource, mcp } from '@x/mcp'
import { callTool, type ToolResult } from '@x/tool-core'
import { ConformanceAuth } from './client-auth.ts'

interface Context {
  readonly client_id?: string
  readonly client_secret?: string
  readonly private_key_pem?: string
  readonly signing_algorithm?: string
  readonly toolCalls?: readonly { readonly name: string; readonly arguments: Record<string, unknown> }[]
}

const scenario = process.env.MCP_CONFORMANCE_SCENARIO ?? ''
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}') as Context
const url = process.argv.at(-1) ?? ''
/** Maximum number of authorizations per scenario. The suite counts authorizations. */
const MAX_AUTHORIZATIONS = 2

const auth = toAuth()
const source = mcp('suite', { url, ...(scenario.startsWith('auth/') && { auth }) }, toOptions())
try {
  await (toScenarios()[scenario] ?? (scenario.startsWith('auth/') ? authorize : list))()
} finally {
  await source.close()
}

function toAuth() {
  const { client_id: clientId = '', client_secret: clientSecret = '', private_key_pem: privateKey } = context
  const algorithm = context.signing_algorithm ?? 'ES256'
  if (scenario === 'auth/client-credentials-jwt' && privateKey !== undefined)
    return new PrivateKeyJwtProvider({ clientId, privateKey, algorithm })
  if (scenario === 'auth/client-credentials-basic') return new ClientCredentialsProvider({ clientId, clientSecret })
  return new ConformanceAuth(scenario === 'auth/pre-registration' ? context : {})
}

function toOptions(): McpOptions {
  const content = scenario === 'sep-2322-client-request-state' ? { confirmed: true } : {}
  return { elicit: () => ({ action: 'accept', content }), connectTimeoutMs: 50_000 }
}

/** Returns the actions of the client by scenario. In all other scenarios, it only lists the tools. */
function toScenarios(): Readonly<Record<string, () => Promise<unknown>>> {
  return {
    tools_call: () => call('add_numbers', { a: 5, b: 3 }),
    'http-standard-headers': async () => call(await firstName(), {}),
    'http-custom-headers': async () => {
      for (const { name, arguments: args } of context.toolCalls ?? []) await call(name, args)
    },
    'http-invalid-tool-headers': async () => {
      for (const name of await names()) await call(name, { region: 'us-west1' })
    },
    'sep-2322-client-request-state': async () => {
      for (const name of ['echo_state', 'no_state', 'unrelated']) succeeded(await call(`test_mrtr_${name}`, {}))
      await call('test_mrtr_no_result_type', {})
    },
    'json-schema-2020-12-preservation': async () => {
      const tool = (await source.tools()).find(({ name }) => source.toServerName(name) === 'json_schema_2020_12_tool')
      await call('json_schema_echo', { schema: JSON.parse(JSON.stringify(tool?.args)) })
    },
    'elicitation-sep1034-client-defaults': () => call('test_client_elicitation_defaults', {}),
    'sse-retry': async () => succeeded(await call('test_reconnection', {})),
  }
}

async function list(): Promise<void> {
  await source.open()
}

/** Lists the tools and calls one. Authorizes if a request is refused. */
async function authorize(): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      await source.open()
      const result = await call('test-tool', {})
      if (result.ok || (result.error as { reason?: string }).reason !== 'not_authorized') return
    } catch (error) {
      if ((error as { code?: string }).code !== 'unauthorized') throw error
    }
    const callback = auth instanceof ConformanceAuth ? auth.takeCallback() : undefined
    if (callback === undefined || attempt === MAX_AUTHORIZATIONS) throw new Error('not authorized')
    await source.finishAuth(callback)
  }
}

async function names(): Promise<readonly string[]> {
  return (await source.tools()).map(({ name }) => serverNameOf(source, name))
}

async function firstName(): Promise<string> {
  return (await names())[0] ?? ''
}

async function call(name: string, args: Record<string, unknown>): Promise<ToolResult> {
  const tool = (await source.tools()).find((one) => serverNameOf(source, one.name) === name)
  if (tool === undefined) throw new Error(`the server has no tool ${name}`)
  return callTool(tool, { id: name, name: tool.name, args })
}

function serverNameOf({ toServerName }: Pick<McpSource, 'toServerName'>, name: string): string {
  return toServerName.call(source, name) ?? ''
}

function succeeded(result: ToolResult): void {
  if (!result.ok) throw result.error
}
