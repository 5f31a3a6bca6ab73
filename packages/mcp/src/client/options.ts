/** Options for an MCP server: where it is, and how its tools are used. */

import type { ToolCard, ToolFingerprints } from '@x/registry'
import { isToolName } from '@x/tool-core'
import { McpError } from '../errors.ts'
import type { Elicit } from './elicit.ts'
import type { OnReport } from './report.ts'

/** A server that is started as a child process. */
export interface StdioServer {
  readonly command: string
  readonly args?: readonly string[] | undefined
  /** Environment variables, in addition to `HOME`, `LOGNAME`, `PATH`, `SHELL`, `TERM` and `USER`. No others are passed on. */
  readonly env?: Readonly<Record<string, string>> | undefined
  readonly cwd?: string | undefined
  /** What happens to the server's output on standard error. Default: `'ignore'`. */
  readonly stderr?: 'ignore' | 'inherit' | undefined
}

/** A server over HTTP. */
export interface HttpServer {
  readonly url: string | URL
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Provides tokens. */
  readonly auth?: McpAuth | undefined
  /** Sends all requests. Default: the global `fetch`. */
  readonly fetch?: typeof fetch | undefined
}

export type McpServer = StdioServer | HttpServer

/**
 * Provides bearer tokens. Accepts the SDK's `AuthProvider` and `OAuthClientProvider`; lists only the methods that this package
 * calls.
 */
export type McpAuth =
  | { token(): string | undefined | Promise<string | undefined> }
  | { tokens(): unknown; clientInformation(...context: never[]): unknown; saveTokens(tokens: never): unknown }

/** A tool annotation that may determine the tool's `effect`. */
export type TrustedHint = 'readOnlyHint' | 'idempotentHint' | 'destructiveHint'

export interface McpOptions {
  /** Annotations that the server is trusted to set correctly. They determine the `effect` of its tools. Default: none. */
  readonly trust?: readonly TrustedHint[] | undefined
  /**
   * Timeout for a call, in milliseconds. `Infinity` disables it. Time that a person takes to answer a question doesn't count. Default:
   * 60,000.
   */
  readonly timeoutMs?: number | undefined
  /**
   * Timeout for connecting and for listing the tools, in milliseconds. A new server over stdio that doesn't answer the first request within
   * half of that time counts as one of an earlier revision. Default: 30,000.
   */
  readonly connectTimeoutMs?: number | undefined
  /**
   * Cards from an earlier listing, as returned by `cards()`. With them, tools are found by name and by a search before the server is
   * connected.
   */
  readonly cards?: readonly ToolCard[] | undefined
  /**
   * Approved fingerprints, as returned by `fingerprints()`. A tool with a different fingerprint is left out and reported until `approve` is
   * called.
   */
  readonly pin?: ToolFingerprints | undefined
  /**
   * Answers the server's questions during a call. By default, a question from a server on revision 2026-07-28 pauses an agent's run, and
   * all other questions are declined and reported.
   */
  readonly elicit?: Elicit | undefined
  /**
   * Maximum number of rounds of questions in a call, and of questions in a round. Further ones fail the call with
   * `input_unavailable`. Questions of servers before revision 2026-07-28 are counted one by one, and further ones are declined.
   * Default: 10.
   */
  readonly maxQuestions?: number | undefined
  /**
   * What to do with a tool whose strings contain hidden characters. `'refuse'` leaves the tool out. `'show'` makes those in
   * descriptions and titles visible, for example as `<U+200B>`, and leaves the tool out only if others remain. Default:
   * `'refuse'`.
   */
  readonly hiddenCharacters?: 'refuse' | 'show' | undefined
  /** Whether to pass the server's instructions to the model. Default: true. */
  readonly instructions?: boolean | undefined
  /**
   * Maximum size of one message from the server, in bytes. The whole list of tools may be ten times as large. Default: 10 MiB.
   */
  readonly maxAnswerBytes?: number | undefined
  /**
   * Maximum number of times a call is repeated. A call is repeated if the server didn't execute it, for example because the session had
   * expired or the status was 429. A lost call is repeated if its effect is `read` or `idempotent`. Over HTTP, other protocol
   * requests, such as `tools/list`, are also repeated if the connection is lost before the response starts. Default: 2.
   */
  readonly maxRetries?: number | undefined
  /** Called when tools change or are left out, a question is declined, or the connection is lost. Default: nothing is reported. */
  readonly onReport?: OnReport | undefined
  /** Name and version that this client sends to the server. Default: `{ name: 'x-mcp', version: '0.0.0' }`. */
  readonly client?: { readonly name: string; readonly version: string } | undefined
}

/** Validated options with the defaults filled in. */
export interface Settings extends McpOptions {
  readonly name: string
  readonly server: McpServer
  readonly trust: readonly TrustedHint[]
  readonly timeoutMs: number
  readonly connectTimeoutMs: number
  readonly hiddenCharacters: 'refuse' | 'show'
  readonly instructions: boolean
  readonly maxAnswerBytes: number
  readonly maxRetries: number
  readonly maxQuestions: number
  readonly client: { readonly name: string; readonly version: string }
}

export function isStdio(server: McpServer): server is StdioServer {
  return 'command' in server
}

/** Maximum length of a source's name, which is part of its tools' names. */
export const MAX_NAME = 32
const HINTS: ReadonlySet<unknown> = new Set(['readOnlyHint', 'idempotentHint', 'destructiveHint'] satisfies TrustedHint[])

/** Validates the options and fills in the defaults. Throws `invalid_option`. */
export function toSettings(name: string, server: McpServer, options: McpOptions): Settings {
  const fail = (words: string) => new McpError('invalid_option', `mcp(${JSON.stringify(name)}): ${words}`)
  if (!isToolName(name) || name.length > MAX_NAME)
    throw fail(
      `the name must be an identifier of at most ${MAX_NAME} characters, because it starts the names of the tools.${nameFix(name)}`,
    )
  const fault = faultOf(server)
  if (fault !== undefined) throw fail(fault)
  const { trust = [], timeoutMs = 60_000, connectTimeoutMs = 30_000, maxAnswerBytes = 10 * 1024 * 1024, maxRetries = 2 } = options
  const unknown = trust.find((hint) => !HINTS.has(hint))
  if (unknown !== undefined) throw fail(`trust names ${[...HINTS].join(', ')}, got ${JSON.stringify(unknown)}.`)
  for (const [option, value] of Object.entries({ timeoutMs, connectTimeoutMs, maxAnswerBytes })) {
    if (!(value > 0)) throw fail(`${option} must be a positive number, got ${String(value)}.`)
  }
  const { maxQuestions = 10 } = options
  for (const [option, value] of Object.entries({ maxRetries, maxQuestions })) {
    if (!Number.isInteger(value) || value < 0) throw fail(`${option} must be a whole number, got ${String(value)}.`)
  }
  const { hiddenCharacters = 'refuse', instructions = true, client = { name: 'x-mcp', version: '0.0.0' } } = options
  const limits = { timeoutMs, connectTimeoutMs, maxAnswerBytes, maxRetries, maxQuestions }
  const defaults = { ...limits, trust, hiddenCharacters, instructions, client }
  return Object.freeze({ ...options, ...defaults, name, server })
}

function nameFix(name: unknown): string {
  const fixed = String(name).replaceAll(/\W/g, '_').slice(0, MAX_NAME)
  return isToolName(fixed) ? ` Write "${fixed}".` : ''
}

function faultOf(server: McpServer): string | undefined {
  const { command, url } = (server ?? {}) as Partial<StdioServer & HttpServer>
  if ((command === undefined) === (url === undefined)) return 'pass either { command } or { url }.'
  if (command !== undefined) return typeof command === 'string' && command !== '' ? undefined : 'command must be a program.'
  const { protocol } = URL.canParse(String(url)) ? new URL(String(url)) : { protocol: '' }
  return protocol === 'http:' || protocol === 'https:' ? undefined : 'url must start with http:// or https://.'
}
