/** Connects to a server. Determines the transport and the protocol revision once, and reuses them for later connections. */

import type { Client, Implementation, PriorDiscovery } from '@modelcontextprotocol/client'
import { LONGEST_TIMER } from '@x/tool-core'
import { McpError } from '../errors.ts'
import { importClient } from '../packages.ts'
import type { WireAnswer, WireQuestion } from './elicit.ts'
import { isAuthError, statusOf } from './failure.ts'
import { connectFailed, connectTimedOut, unauthorized } from './messages.ts'
import { isStdio, type Settings } from './options.ts'
import type { Secrets } from './secrets.ts'
import { type Channel, type Opened, openTransport } from './transport.ts'
import { limited } from './wait.ts'

export interface Connection {
  readonly client: Client
  readonly isModern: boolean
  readonly server: Implementation | undefined
  readonly opened: Opened
  /** True if the transport and the protocol revision of an earlier connection were reused instead of negotiated. */
  readonly isRemembered: boolean
  isOpen(): boolean
  close(): Promise<void>
}

/** A connection that isn't in use yet. */
interface NewConnection extends Connection {
  /** Call this once the connection is in use. Before that, its end isn't reported. */
  establish(): void
  /** Reports the end of the connection while its calls may still be running. */
  lose(): void
}

/** Events that a connection reports to its owner. */
export interface ConnectionEvents {
  /** Called when an older server asks a question. */
  ask(question: WireQuestion, signal: AbortSignal): Promise<WireAnswer>
  listChanged(): void
  /** Called when a server writes something other than messages to its standard output. */
  stray(): void
  closed(connection: Connection): void
}

/** The transport and the protocol era with which a server was reached. */
interface Route {
  readonly channel: Channel
  /** Protocol era. If undefined, it is negotiated. */
  readonly prior?: PriorDiscovery | undefined
}

/**
 * How long to assume that a server supports only an older revision. After that, the revision is negotiated again, because the
 * server may have been updated.
 */
const LEGACY_MS = 60 * 60 * 1_000
const TRANSPORTS: Readonly<Record<Channel, string>> = { stdio: 'stdio', http: 'Streamable HTTP', sse: 'SSE' }
/** Maximum number of pages in a list of tools. */
const MAX_PAGES = 10_000
const LEGACY: PriorDiscovery = { kind: 'legacy' }
/** Part of the timeout for connecting that the first request to a new server may take. It determines the revision. */
const PROBE_PART = 1 / 2
/** Timeout for ending a session. */
const END_MS = 2_000

export class Connector {
  readonly #settings: Settings
  readonly #secrets: Secrets
  readonly #events: ConnectionEvents
  #known: (Route & { readonly at: number }) | undefined
  /** A transport that is kept open until `finishAuth` is called. */
  #pending: Opened | undefined
  /** Promises of the transports that are closing. */
  readonly #closing = new Set<Promise<void>>()

  constructor(settings: Settings, secrets: Secrets, events: ConnectionEvents) {
    this.#settings = settings
    this.#secrets = secrets
    this.#events = events
  }

  /** Rejects with an `McpError`: `connect_failed`, `connect_timeout`, `unauthorized` or `missing_package`. */
  async connect(): Promise<Connection> {
    this.#pending = undefined
    const { server } = this.#settings
    const routes: readonly Route[] = isStdio(server)
      ? [{ channel: 'stdio' }, { channel: 'stdio', prior: LEGACY }]
      : [{ channel: 'http' }, { channel: 'sse', prior: LEGACY }]
    const known = this.#known?.prior === LEGACY && Date.now() - this.#known.at > LEGACY_MS ? undefined : this.#known
    const all = known === undefined ? routes : [known, ...routes]
    const deadline = Date.now() + this.#settings.connectTimeoutMs
    const reasons = new Map<string, string>()
    for (const [index, route] of all.entries()) {
      try {
        const connection = await this.#connectBy(route, deadline)
        this.#known = { channel: route.channel, prior: priorOf(connection.client), at: Date.now() }
        return connection
      } catch (error) {
        reasons.set(TRANSPORTS[route.channel], this.#reasonOf(error))
        if (index === all.length - 1 || !mayFallBack(route, error)) throw this.#failure(error, reasons)
      }
    }
    throw new Error('unreachable')
  }

  /** Forgets the transport and the revision, because connecting with them failed. */
  forget(): void {
    this.#known = undefined
  }

  /** Keeps an unauthorized transport for `finishAuth`, and returns the error to throw. */
  unauthorized(opened: Opened, error: unknown): McpError {
    this.#pending = opened
    return unauthorized(this.#settings.name, this.#secrets.wordsOf(error))
  }

  async finishAuth(params: URLSearchParams): Promise<void> {
    const { name } = this.#settings
    const pending = this.#pending ?? (await this.#openForAuth())
    if (pending.finishAuth === undefined)
      throw new McpError('invalid_option', `mcp("${name}"): finishAuth is for servers with a url and auth.`)
    try {
      await pending.finishAuth(params)
    } catch (error) {
      throw this.unauthorized(pending, error)
    }
    this.#pending = undefined
  }

  /** Resolves once all closing transports are closed. */
  async settled(): Promise<void> {
    while (this.#closing.size > 0) await Promise.all(this.#closing)
  }

  /**
   * Opens a transport to finish authorization. Needed if the program was restarted and the redirect arrives before it has
   * connected.
   */
  async #openForAuth(): Promise<Opened> {
    const { server } = this.#settings
    return openTransport(isStdio(server) ? 'stdio' : 'http', this.#settings, this.#secrets, {
      onStray: () => {},
      onStreamLost: () => {},
    })
  }

  async #connectBy(route: Route, deadline: number): Promise<Connection> {
    const { connectTimeoutMs, client: info } = this.#settings
    const left = Math.min(deadline - Date.now(), LONGEST_TIMER)
    if (left <= 0) throw connectTimedOut(this.#settings.name, connectTimeoutMs)
    const { Client } = await importClient()
    const opened = await openTransport(route.channel, this.#settings, this.#secrets, {
      onStray: () => this.#events.stray(),
      onStreamLost: () => connection.lose(),
    })
    const probe = route.channel === 'stdio' ? { timeoutMs: Math.ceil(left * PROBE_PART) } : {}
    const client = new Client(info, {
      capabilities: { elicitation: { form: { applyDefaults: true }, url: {} } },
      versionNegotiation: { mode: 'auto', probe },
      inputRequired: { autoFulfill: false },
      listMaxPages: MAX_PAGES,
    })
    const connection: NewConnection = this.#toConnection(client, opened, route.prior !== undefined && route === this.#known)
    client.setNotificationHandler('notifications/tools/list_changed', () => this.#events.listChanged())
    client.setRequestHandler(
      'elicitation/create',
      async ({ params }, { mcpReq }) => (await this.#events.ask(params, mcpReq.signal)) as never,
    )
    try {
      const connecting = client.connect(opened.transport, { timeout: left, ...(route.prior && { prior: route.prior }) })
      await limited(connecting, left, () => connectTimedOut(this.#settings.name, connectTimeoutMs))
      if (!connection.isOpen()) throw new Error('the connection was closed')
      opened.settle()
      connection.establish()
      return connection
    } catch (error) {
      this.#close(connection)
      throw isAuthError(error, await importClient()) ? this.unauthorized(opened, error) : error
    }
  }

  #toConnection(client: Client, opened: Opened, isRemembered: boolean): NewConnection {
    let isOpen = true
    let isEstablished = false
    const events = this.#events
    const close = (connection: Connection) => this.#close(connection)
    const connection: NewConnection = {
      client,
      opened,
      isRemembered,
      get isModern() {
        return client.getProtocolEra() === 'modern'
      },
      get server() {
        return client.getServerVersion()
      },
      isOpen: () => isOpen,
      establish() {
        isEstablished = true
      },
      lose() {
        if (isOpen && isEstablished) events.closed(connection)
        isEstablished = false
      },
      async close() {
        isOpen = false
        await limited(opened.endSession(), END_MS, () => new Error('late')).catch(() => {})
        await close(connection)
      },
    }
    client.onclose = () => {
      const wasOpen = isOpen
      isOpen = false
      if (wasOpen && isEstablished) events.closed(connection)
    }
    return connection
  }

  /**
   * Closes the client and its transport. `settled` waits for this. A child process that ignores signals takes four seconds to
   * end.
   */
  #close({ client, opened }: Connection): Promise<void> {
    // The client has no transport before it has started, so the transport is closed separately.
    const closing = Promise.allSettled([client.close(), opened.transport.close()]).then(() => {
      this.#closing.delete(closing)
    })
    this.#closing.add(closing)
    return closing
  }

  /** Returns the error's message, with the HTTP status that the SDK may have left out. */
  #reasonOf(error: unknown): string {
    const words = this.#secrets.wordsOf(error)
    const status = statusOf(error)
    return status === undefined || words.includes(String(status)) ? words : `HTTP ${status}: ${words}`
  }

  #failure(error: unknown, reasons: ReadonlyMap<string, string>): McpError {
    return error instanceof McpError ? error : connectFailed(this.#settings.name, reasons, this.#settings.server)
  }
}

function priorOf(client: Client): PriorDiscovery {
  const discover = client.getDiscoverResult()
  return discover === undefined ? LEGACY : { kind: 'modern', discover }
}

/**
 * Returns true if the next route may work. After a timeout, a missing program or a refused authorization, no other route helps.
 */
function mayFallBack({ channel }: Route, error: unknown): boolean {
  if (error instanceof McpError) return false
  if (channel === 'stdio') return typeof (error as { code?: unknown }).code !== 'string' || !isSpawnError(error)
  const status = statusOf(error)
  return status !== undefined && status >= 400 && status < 500 && ![401, 403, 408, 429].includes(status)
}

function isSpawnError(error: unknown): boolean {
  return typeof (error as { syscall?: unknown }).syscall === 'string'
}
