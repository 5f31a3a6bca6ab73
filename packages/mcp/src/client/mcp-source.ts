/** The tool source of an MCP server. Connects when tools are needed, reconnects after a loss, and follows changes to the list. */
import { revealHiddenCharacters, type ToolCard, type ToolFingerprints } from '@x/registry'
import type { Tool, ToolContext } from '@x/tool-core'
import { McpError } from '../errors.ts'
import { closed, notApproved } from '../prompts.ts'
import { type Called, type Caller, callServer, type RunningCall } from './call.ts'
import { failed } from './call-reason.ts'
import { type Connection, Connector } from './connection.ts'
import type { Definition } from './definition.ts'
import { answer, type WireQuestion } from './elicit.ts'
import { fetchList, type Listed } from './fetch-list.ts'
import { type ListedTool, Listing } from './listing.ts'
import { closedWhileConnecting, faultOfInstructions, instructionsRefused, strayMessage, unexpectedQuestion } from './messages.ts'
import type { Settings } from './options.ts'
import type { Report } from './report.ts'
import { type Secrets, secretsOf } from './secrets.ts'
import type { McpSource, ServerInfo } from './source.ts'
import { Subscription } from './subscription.ts'
import { pause } from './wait.ts'

/** A connection, and the calls that are running on it. */
interface Use {
  readonly connection: Connection
  readonly calls: Set<RunningCall>
  /** True if the connection is closed as soon as its calls have ended. */
  isRetired: boolean
}

/** Minimum time between two listings that are triggered by changes, in milliseconds. */
const FOLLOW_MS = 1_000
/** Maximum time between two such listings while they fail, in milliseconds. */
const LONGEST_FOLLOW_MS = 30_000

export class McpClientSource implements McpSource {
  readonly name: string
  /** `connectTimeoutMs` limits connecting and listing. */
  readonly loadTimeoutMs = Number.POSITIVE_INFINITY
  readonly #settings: Settings
  readonly #secrets: Secrets
  readonly #connector: Connector
  readonly #listing: Listing
  readonly #listeners = new Set<() => void>()
  readonly #report: Report
  readonly #uses = new Set<Use>()
  readonly #caller: Caller
  #current: Use | undefined
  #connecting: Promise<Connection> | undefined
  #listed: Listed | undefined
  #listingNow: Promise<void> | undefined
  /** True if the server's list may have changed since the last listing. */
  #isStale = false
  #isOpen = false
  #following: Promise<void> | undefined
  /** Number of listings in a row that have failed. */
  #failures = 0
  /** Aborted when a change is reported, which ends the wait after a failure. */
  #waiting = new AbortController()
  /** Aborted when the source is closed. */
  #session = new AbortController()
  #subscription: Subscription | undefined

  constructor(settings: Settings) {
    this.name = settings.name
    this.#settings = settings
    this.#secrets = secretsOf(settings.server)
    this.#report = (report) => {
      try {
        settings.onReport?.({ ...report, server: settings.name })
      } catch (error) {
        queueMicrotask(() => {
          throw error // An error in `onReport` is the caller's mistake. It must not end a listing or a call.
        })
      }
    }
    this.#connector = new Connector(settings, this.#secrets, {
      ask: (question, signal) => this.#ask(question, signal),
      listChanged: () => this.#followChange(),
      stray: () => this.#report({ code: 'invalid_message', message: strayMessage(settings.name) }),
      closed: (connection) => this.#lost(connection),
    })
    this.#listing = new Listing(settings, this.#report, (listed) => (args, context) => this.#call(listed, args, context))
    this.#caller = {
      settings,
      report: this.#report,
      wordsOf: (error) => this.#secrets.wordsOf(error),
      redact: (text) => this.#secrets.redact(text),
      connect: () => this.#connect(),
      retire: (connection) => this.#retire(connection),
      unauthorized: ({ opened }, error) => this.#connector.unauthorized(opened, error),
      hold: (connection, call, work) => this.#hold(connection, call, work),
      listAgain: () => this.#list(true),
      isOpen: () => this.#isOpen,
    }
  }

  get instructions(): string | undefined {
    const words = this.#current && this.#instructionsOf(this.#current.connection)
    if (words === undefined || faultOfInstructions(words, this.#settings) !== undefined) return undefined
    return this.#settings.hiddenCharacters === 'show' ? revealHiddenCharacters(words) : words
  }

  get server(): ServerInfo | undefined {
    if (this.#current === undefined) return undefined
    const { client, isModern, server } = this.#current.connection
    const revision = client.getNegotiatedProtocolVersion() ?? ''
    return { revision, isStateless: isModern, ...(server && { name: server.name, version: server.version }) }
  }

  cards(): readonly ToolCard[] {
    return this.#listing.cards
  }

  async open(): Promise<void> {
    if (!this.#isOpen) this.#session = new AbortController()
    this.#isOpen = true
    await this.#list()
  }

  async tools(): Promise<readonly Tool[]> {
    await this.open()
    return this.#listing.tools()
  }

  async tool(name: string): Promise<Tool | undefined> {
    await this.open()
    return this.#listing.tool(name)
  }

  toServerName(name: string): string | undefined {
    return this.#listing.toServerName(name)
  }

  async fingerprints(): Promise<ToolFingerprints> {
    await this.open()
    return this.#listing.fingerprints()
  }

  async approve(chosen?: readonly string[] | ToolFingerprints): Promise<ToolFingerprints> {
    await this.open()
    await this.#listing.approve(this.#listed?.definitions ?? [], chosen)
    await this.#take(this.#listed?.definitions ?? [])
    return this.#listing.fingerprints()
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  async finishAuth(params: URLSearchParams | string | URL): Promise<void> {
    // `params` may be a relative URL. Some authorization servers append a fragment.
    const [text = ''] = String(params).split('#')
    await this.#connector.finishAuth(new URLSearchParams(text.slice(text.indexOf('?') + 1)))
  }

  async close(): Promise<void> {
    this.#isOpen = false
    this.#session.abort()
    await this.#connecting?.catch(() => {})
    this.#current = undefined
    this.#subscription?.stop()
    this.#subscription = undefined
    this.#listed = undefined
    await Promise.all([...this.#uses].map(({ connection }) => connection.close()))
    this.#uses.clear()
    await this.#connector.settled()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  #call({ name, definition, card }: ListedTool, args: object, context: ToolContext) {
    if (!this.#isOpen) throw failed(closed(name), 'disconnected')
    const refusal = this.#listing.refusalOf(name)
    if (refusal !== undefined) throw failed(notApproved(name), 'not_approved', { cause: refusal })
    const called: Called = { name, definition, effect: card.effect }
    return callServer(this.#caller, called, args, context)
  }

  /** Returns the connection that all calls share. Connects if there is none. */
  async #connect(): Promise<Connection> {
    if (this.#current?.connection.isOpen()) return this.#current.connection
    this.#connecting ??= this.#connectNow().finally(() => {
      this.#connecting = undefined
    })
    return this.#connecting
  }

  async #connectNow(): Promise<Connection> {
    const isFirst = this.#listed === undefined
    const connection = await this.#connector.connect()
    if (!this.#isOpen) {
      await connection.close()
      throw closedWhileConnecting(this.name)
    }
    this.#checkInstructions(connection)
    const use: Use = { connection, calls: new Set(), isRetired: false }
    this.#uses.add(use)
    this.#current = use
    this.#subscription?.stop()
    this.#subscription = new Subscription(connection, this.#settings, () => this.#followChange())
    await this.#subscription.started
    // After a restart, the server may have other tools.
    if (!isFirst && this.#isOpen) this.#followChange(this.#listingNow !== undefined)
    return connection
  }

  #instructionsOf({ client }: Connection): string | undefined {
    return this.#settings.instructions ? client.getInstructions() : undefined
  }

  #checkInstructions(connection: Connection): void {
    const words = this.#instructionsOf(connection)
    const fault = words && faultOfInstructions(words, this.#settings)
    if (fault) this.#report({ code: 'instructions_refused', message: instructionsRefused(this.name, fault) })
  }

  /** Lists the tools if the last list has expired. Rejects with an `McpError`. */
  #list(isForced = false): Promise<void> {
    if (!isForced && this.#listed !== undefined && !this.#isStale && Date.now() < this.#listed.freshUntil)
      return Promise.resolve()
    this.#listingNow ??= this.#listNow(isForced).finally(() => {
      this.#listingNow = undefined
    })
    return this.#listingNow
  }

  /** Lists the tools. On failure, reports it and keeps the earlier list. Rejects if `isForced` or if there is no earlier list. */
  async #listNow(isForced: boolean): Promise<void> {
    this.#isStale = false
    try {
      const { definitions, freshUntil } = await this.#fetchList()
      this.#listed = { definitions, freshUntil }
      await this.#take(definitions)
      this.#failures = 0
    } catch (error) {
      this.#failures++
      this.#isStale = true
      if (this.#listed === undefined || isForced) throw error
      this.#report({ code: 'list_failed', message: (error as Error).message })
    }
  }

  /** Fetches the list. Negotiates again if that fails with remembered settings, because the server may have been replaced. */
  async #fetchList(): Promise<Listed> {
    const connection = await this.#connect()
    try {
      return await this.#fetchListOf(connection)
    } catch (error) {
      this.#retire(connection)
      if (!this.#isOpen) throw error
      const isFinal = error instanceof McpError && error.code === 'unauthorized'
      if (isFinal || !connection.isRemembered) throw error
      this.#connector.forget()
      return this.#fetchListOf(await this.#connect())
    }
  }

  #fetchListOf(connection: Connection): Promise<Listed> {
    return fetchList(connection, this.#caller, () => this.#subscription?.isActive() === true)
  }

  async #take(definitions: readonly Definition[]): Promise<void> {
    if (await this.#listing.update(definitions)) for (const listener of this.#listeners) listener()
  }

  /** Lists the tools again after a change. Ends the wait after an earlier listing, unless a listing has itself just connected again. */
  #followChange(isListing = false): void {
    this.#isStale = true
    if (!isListing) this.#waiting.abort()
    if (!this.#isOpen) return
    this.#following ??= this.#follow().finally(() => {
      this.#following = undefined
    })
  }

  async #follow(): Promise<void> {
    const { signal } = this.#session
    let isReported = false
    while (this.#isOpen && this.#isStale) {
      // A listing that began before the change may still return the earlier tools.
      await this.#listingNow?.catch(() => {})
      this.#waiting = new AbortController()
      await this.#list().catch(() => {})
      // A server may report a change during each listing that fails, so only every other one ends the wait.
      isReported = this.#waiting.signal.aborted && !isReported
      if (!isReported) this.#waiting = new AbortController()
      const rest = Math.min(FOLLOW_MS * 2 ** this.#failures, LONGEST_FOLLOW_MS) - FOLLOW_MS
      await pause(FOLLOW_MS, signal).catch(() => {})
      await pause(rest, AbortSignal.any([signal, this.#waiting.signal])).catch(() => {})
    }
  }

  #lost(connection: Connection): void {
    if (this.#isOpen) this.#report({ code: 'disconnected', message: `The connection to the server "${this.name}" was lost.` })
    this.#retire(connection)
  }

  #retire(connection: Connection): void {
    if (this.#current?.connection === connection) {
      this.#current = undefined
      this.#subscription?.stop()
    }
    for (const use of this.#uses) {
      if (use.connection !== connection) continue
      use.isRetired = true
      this.#closeIfUnused(use)
    }
  }

  async #hold<T>(connection: Connection, call: RunningCall, work: () => Promise<T>): Promise<T> {
    const use = [...this.#uses].find((one) => one.connection === connection)
    use?.calls.add(call)
    try {
      return await work()
    } finally {
      use?.calls.delete(call)
      if (use !== undefined) this.#closeIfUnused(use)
    }
  }

  #closeIfUnused(use: Use): void {
    if (!use.isRetired || use.calls.size > 0) return
    this.#uses.delete(use)
    void use.connection.close()
  }

  /**
   * Answers a question from an older server. The question doesn't name its call, so the timeouts of all running calls are paused.
   */
  async #ask(question: WireQuestion, signal: AbortSignal) {
    const calls = [...this.#uses].flatMap((use) => [...use.calls])
    const tool = calls.length === 1 ? calls[0]?.tool : undefined
    const { elicit, maxQuestions } = this.#settings
    const call = calls.find(({ questions }) => questions < maxQuestions)
    if (call === undefined) {
      const message = unexpectedQuestion(this.name, calls.length === 0 ? undefined : maxQuestions)
      this.#report({ code: 'question_declined', message, tool })
      return { action: 'decline' } as const
    }
    call.questions++
    for (const { clock } of calls) clock.pause()
    try {
      return await answer(question, { server: this.name, tool, elicit, report: this.#report, signal })
    } finally {
      for (const { clock } of calls) clock.resume()
    }
  }
}
