/** Clients of a server under test: the SDK's client without a network, and functions that send raw requests of the protocol. */
import { Client, type ClientCapabilities, type ElicitResult, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { ToolServer } from '../../src/server/serve-mcp.ts'

export interface ClientSettings {
  /** The protocol era. Default: the newest revision that both sides support. */
  readonly era?: 'auto' | 'legacy'
  /**
   * Answers to forms, in order: an action, or the content of an accepted form. Without answers, the client declares that it can't be asked.
   */
  readonly answers?: readonly (ElicitResult['action'] | Readonly<Record<string, string>>)[]
  /** Called while the user is asked. */
  readonly onForm?: () => void
  readonly headers?: Readonly<Record<string, string>>
}

export interface TestClient {
  readonly client: Client
  /** The messages of the forms that the user saw. */
  readonly forms: readonly string[]
}

/** Connects through `fetch` of the server. */
export async function connect(server: Pick<ToolServer, 'fetch'>, settings: ClientSettings = {}): Promise<TestClient> {
  const test = createClient(settings)
  const url = new URL('http://localhost/mcp')
  const fetch = (input: string | URL, init?: RequestInit) => server.fetch(new Request(input, init))
  await test.client.connect(new StreamableHTTPClientTransport(url, { fetch, requestInit: { headers: { ...settings.headers } } }))
  return test
}

export function createClient({ era = 'auto', answers, onForm }: ClientSettings): TestClient {
  const capabilities: ClientCapabilities = answers === undefined ? {} : { elicitation: {} }
  const client = new Client({ name: 'test', version: '1.0.0' }, { capabilities, versionNegotiation: { mode: era } })
  const forms: string[] = []
  const left = [...(answers ?? [])]
  if (answers !== undefined)
    client.setRequestHandler('elicitation/create', ({ params }) => {
      onForm?.()
      forms.push(params.message)
      const answer = left.shift() ?? 'cancel'
      return typeof answer === 'string' ? { action: answer, content: {} } : { action: 'accept', content: answer }
    })
  return { client, forms }
}

/** Creates a request of revision 2026-07-28. */
export function modernRequest(
  method: string,
  params: Record<string, unknown> = {},
  headers: Record<string, string> = {},
): Request {
  const { name } = params
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
  }
  return new Request('http://localhost/mcp', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(typeof name === 'string' && { 'mcp-name': name }),
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } }),
  })
}

export interface Reply {
  readonly status: number
  readonly result?: Record<string, unknown>
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown }
}

/** Sends a request of revision 2026-07-28 and reads the reply. */
export async function send(
  server: Pick<ToolServer, 'fetch'>,
  method: string,
  params?: Record<string, unknown>,
  headers?: Record<string, string>,
): Promise<Reply> {
  const response = await server.fetch(modernRequest(method, params, headers))
  return { status: response.status, ...((await response.json()) as object) }
}
