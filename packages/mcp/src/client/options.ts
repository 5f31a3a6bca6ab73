/** Where an MCP server is, and how its tools are used. */

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
  /** What becomes of the text that the server writes to standard error. Default: `'ignore'`. */
  readonly stderr?: 'ignore' | 'inherit' | undefined
}

/** A server over HTTP. */
export interface HttpServer {
  readonly url: string | URL
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Provides tokens. */
  readonly auth?: McpAuth | undefined
  /** Sends all requests, instead of the global `fetch`. */
  readonly fetch?: typeof fetch | undefined
}

export type McpServer = StdioServer | HttpServer

/** A source of bearer tokens: the SDK's `AuthProvider`, or its `OAuthClientProvider`, by the methods that they have in common with ours. */
export type McpAuth =
  | { token(): string | undefined | Promise<string | undefined> }
  | { tokens(): unknown; clientInformation(...context: never[]): unknown; saveTokens(tokens: never): unknown }

/** An annotation of a tool that may become its `effect`. */
export type TrustedHint = 'readOnlyHint' | 'idempotentHint' | 'destructiveHint'

export interface McpOptions {
  /** Annotations that the server is trusted to state correctly, for the `effect` of its tools. Default: none. */
  readonly trust?: readonly TrustedHint[] | undefined
  /** Deadline of a call in milliseconds; `Infinity` for none. The time that a person takes to answer a question doesn't count. Default: 60,000. */
  readonly timeoutMs?: number | undefined
  /** Deadline of connecting, and of listing the tools, in milliseconds. Default: 30,000. */
  readonly connectTimeoutMs?: number | undefined
  /** Cards of an earlier listing, from `cards()`: the tools are found by name and by a search before the server is connected. */
  readonly cards?: readonly ToolCard[] | undefined
  /** Approved fingerprints, from `fingerprints()`: a tool with another one is left out, and reported, until `approve` is called. */
  readonly pin?: ToolFingerprints | undefined
  /** Answers the questions of the server, while a call waits. Default: they are declined. */
  readonly elicit?: Elicit | undefined
  /** What happens to a tool whose texts contain hidden characters: left out, or shown with `<U+200B>` in their place. Default: `'refuse'`. */
  readonly hiddenCharacters?: 'refuse' | 'show' | undefined
  /** Passes the server's instructions to the model. Default: true. */
  readonly instructions?: boolean | undefined
  /** Maximum size of one message of the server, in bytes. Default: 10 MiB. */
  readonly maxAnswerBytes?: number | undefined
  /** Maximum number of times that a lost call is repeated, if it only reads. Default: 2. */
  readonly maxRetries?: number | undefined
  /** Receives what changed or was refused. */
  readonly onReport?: OnReport | undefined
  /** Name and version that the server sees. */
  readonly client?: { readonly name: string; readonly version: string } | undefined
}

/** Options with their defaults. */
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
  readonly client: { readonly name: string; readonly version: string }
}

export function isStdio(server: McpServer): server is StdioServer {
  return 'command' in server
}

/** Longest name of a source: it is part of the names of its tools. */
export const MAX_NAME = 32
const HINTS: ReadonlySet<unknown> = new Set(['readOnlyHint', 'idempotentHint', 'destructiveHint'] satisfies TrustedHint[])

/** Throws `invalid_option`. */
export function toSettings(name: string, server: McpServer, options: McpOptions): Settings {
  const fail = (words: string) => new McpError('invalid_option', `mcp(${JSON.stringify(name)}): ${words}`)
  if (!isToolName(name) || name.length > MAX_NAME)
    throw fail(`the name must be an identifier of at most ${MAX_NAME} characters, because it starts the names of the tools.`)
  const fault = faultOf(server)
  if (fault !== undefined) throw fail(fault)
  const { trust = [], timeoutMs = 60_000, connectTimeoutMs = 30_000, maxAnswerBytes = 10 * 1024 * 1024, maxRetries = 2 } = options
  const unknown = trust.find((hint) => !HINTS.has(hint))
  if (unknown !== undefined) throw fail(`trust names ${[...HINTS].join(', ')}, got ${JSON.stringify(unknown)}.`)
  for (const [option, value] of Object.entries({ timeoutMs, connectTimeoutMs, maxAnswerBytes })) {
    if (!(value > 0)) throw fail(`${option} must be a positive number, got ${String(value)}.`)
  }
  if (!Number.isInteger(maxRetries) || maxRetries < 0) throw fail(`maxRetries must be a whole number, got ${String(maxRetries)}.`)
  const { hiddenCharacters = 'refuse', instructions = true, client = { name: 'x-mcp', version: '0.0.0' } } = options
  const defaults = { trust, timeoutMs, connectTimeoutMs, maxAnswerBytes, maxRetries, hiddenCharacters, instructions, client }
  return Object.freeze({ ...options, ...defaults, name, server })
}

function faultOf(server: McpServer): string | undefined {
  const { command, url } = (server ?? {}) as Partial<StdioServer & HttpServer>
  if ((command === undefined) === (url === undefined)) return 'pass either { command } or { url }.'
  if (command !== undefined) return typeof command === 'string' && command !== '' ? undefined : 'command must be a program.'
  const { protocol } = URL.canParse(String(url)) ? new URL(String(url)) : { protocol: '' }
  return protocol === 'http:' || protocol === 'https:' ? undefined : 'url must start with http:// or https://.'
}
