/** Serves tools over MCP: as a `fetch` handler, with Node's HTTP server, or over stdio. */

import type { Readable, Writable } from 'node:stream'
import type { McpHttpHandler } from '@modelcontextprotocol/server'
import { McpError } from '../errors.ts'
import { importServer, importServerStdio } from '../packages.ts'
import type { Shared } from './connection.ts'
import { createServer } from './create-server.ts'
import { admit, refused } from './http-gate.ts'
import { assertProtected, type Listener, type ListenOptions, listenHttp } from './node-http.ts'
import { type ServeMcpOptions, toSettings } from './options.ts'
import type { QuestionState } from './questions.ts'
import type { Servable } from './servable.ts'
import { ServedTools } from './served-tools.ts'

export interface StdioOptions {
  /** Run-scoped values for the tools. */
  readonly values?: object | undefined
  /** A Node.js readable stream. Default: `process.stdin`. */
  readonly input?: AsyncIterable<unknown> | undefined
  /** A Node.js writable stream. Default: `process.stdout`. Nothing else in the process may write to it. */
  readonly output?: { write(text: string): boolean } | undefined
}

/** Tools served over MCP. Nothing is opened or imported before the first request. */
export interface ToolServer {
  /**
   * Answers an HTTP request. Doesn't use `this`, so it can be passed on its own. Works in every runtime that has `Request` and
   * `Response`.
   */
  readonly fetch: (request: Request) => Promise<Response>
  /** Listens with Node's HTTP server. Throws `unprotected` for an address that other machines can reach, without `authorize`. */
  listen(options?: ListenOptions): Promise<Listener>
  /** Serves one client over standard input and output. Resolves when the client disconnects. */
  stdio(options?: StdioOptions): Promise<void>
  /** Ends all calls and connections, and closes the toolsets. Later requests get status 503; `listen` and `stdio` throw `closed`. */
  close(): Promise<void>
}

/** Serves a registry, a toolset, or a list of tools, toolsets and lazy tools. Lazy tools are imported when they are called. */
export function serveMcp(tools: Servable, options: ServeMcpOptions): ToolServer {
  const settings = toSettings(options)
  const listeners = new Set<{ close(): Promise<void> }>()
  const served = new ServedTools(tools)
  let isClosed = false
  const assertOpen = () => {
    if (isClosed) throw new McpError('closed', 'This server was closed. Create another one with serveMcp.')
  }
  const share = once(async (): Promise<Shared> => {
    const sdk = await importServer()
    const codec = sdk.createRequestStateCodec<QuestionState>({
      key: settings.stateKey,
      ttlSeconds: Math.ceil(settings.questionTtlMs / 1_000),
      bind: ({ http }) => JSON.stringify([settings.name, http?.authInfo?.clientId ?? '']),
    })
    return { sdk, tools: served, settings, codec }
  })
  const handle = once(async (): Promise<McpHttpHandler> => {
    const all = await share()
    const created = all.sdk.createMcpHandler((request) => createServer(all, request), {
      onerror: settings.report,
      maxRequestBodySize: settings.maxBodyBytes,
    })
    served.onChange(() => created.notify.toolsChanged())
    return created
  })

  const fetch = async (request: Request): Promise<Response> => {
    if (isClosed) return refused(503, 'This server is closed.')
    const { sdk } = await share()
    const authInfo = await admit(request, sdk, settings)
    if (authInfo instanceof Response) return authInfo
    return (await handle()).fetch(request, { authInfo })
  }
  return {
    fetch,
    async listen(given = {}) {
      assertOpen()
      assertProtected(given, settings.authorize !== undefined)
      const listener = await listenHttp(fetch, given, settings.report)
      if (isClosed) await listener.close()
      assertOpen()
      listeners.add(listener)
      return {
        ...listener,
        close() {
          listeners.delete(listener)
          return listener.close()
        },
      }
    },
    async stdio({ values, input, output } = {}) {
      const all = await share()
      const { StdioServerTransport, serveStdio } = await importServerStdio()
      assertOpen()
      const transport = new StdioServerTransport(input as Readable, output as Writable)
      const handle = serveStdio(async (request) => createServer(all, request, values), {
        transport,
        onerror: settings.report,
      })
      listeners.add(handle)
      await new Promise<void>((resolve) => {
        const { onclose } = transport
        transport.onclose = () => {
          onclose?.()
          resolve()
        }
      })
      listeners.delete(handle)
    },
    async close() {
      isClosed = true
      await Promise.all([...listeners].map((listener) => listener.close()))
      listeners.clear()
      await (await handle.started)?.close()
      await served.close()
    },
  }
}

interface Once<T> {
  (): Promise<T>
  readonly started: Promise<T> | undefined
}

/** Creates a value on first use and caches it. If that fails, the next use tries again. */
function once<T>(create: () => Promise<T>): Once<T> {
  let started: Promise<T> | undefined
  const get = () => {
    started ??= create().catch((error: unknown) => {
      started = undefined
      throw error
    })
    return started
  }
  return Object.defineProperty(get, 'started', { get: () => started }) as Once<T>
}
