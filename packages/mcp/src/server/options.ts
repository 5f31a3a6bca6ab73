/** The options of a server and their validation. */
import { McpError } from '../errors.ts'

/** The result of `authorize` for a request that may be served. */
export interface Authorization {
  /**
   * Identifies the caller, for example with a user id. An approval requested from one subject isn't accepted from another.
   * Default: empty.
   */
  readonly subject?: string | undefined
  /** Run-scoped values for the tools of this request. The client never sees them. */
  readonly values?: object | undefined
}

export interface ServeMcpOptions {
  /** Name of the server, shown to clients. */
  readonly name: string
  readonly version: string
  /** Instructions for the model. Default: the instructions of the toolsets. */
  readonly instructions?: string | undefined
  /** Maximum number of tools on a page of the listing. Default: 1,000. */
  readonly pageSize?: number | undefined
  /** How long clients may cache the listing, in milliseconds. Default: 0 (no caching). Clients are notified of changes in any case. */
  readonly listTtlMs?: number | undefined
  /**
   * Called for each HTTP request before its body is read. Return a `Response`, such as a 401, to refuse the request. An error refuses it
   * with status 500. The function must not read the body.
   */
  readonly authorize?: ((request: Request) => Authorization | Response | Promise<Authorization | Response>) | undefined
  /** Accepted host names of the `Host` header, without ports. Default: `localhost`, `127.0.0.1` and `[::1]`. */
  readonly allowedHosts?: readonly string[] | undefined
  /**
   * Accepted values of the `Origin` header, which browsers send, such as `https://app.example.com` or `http://dev.example.com:5173`. A host
   * name without a scheme means HTTPS on its default port. The names of this machine mean HTTP and HTTPS on any port. Default:
   * `allowedHosts`.
   */
  readonly allowedOrigins?: readonly string[] | undefined
  /** Maximum size of a request body in bytes. Default: 4 MiB. */
  readonly maxBodyBytes?: number | undefined
  /**
   * Key that signs the state of a question, which the client sends back with the answer. At least 32 bytes. Processes that serve
   * the same clients must share it. Default: a random key for this process.
   */
  readonly stateKey?: string | Uint8Array | undefined
  /** Time in which a question must be answered, in milliseconds. Default: 600,000. */
  readonly questionTtlMs?: number | undefined
  /** Called for errors that the client doesn't see: a tool that failed to load, a refused request, a failed connection. */
  readonly onError?: ((error: Error) => void) | undefined
}

/** The options with their defaults. */
export interface ServerSettings extends ServeMcpOptions {
  readonly pageSize: number
  readonly listTtlMs: number
  readonly allowedHosts: readonly string[]
  readonly allowedOrigins: readonly string[]
  readonly maxBodyBytes: number
  readonly stateKey: string | Uint8Array
  readonly questionTtlMs: number
  /** Passes an error to `onError`. Never throws. */
  readonly report: (thrown: unknown) => void
}

export const LOOPBACK: readonly string[] = ['localhost', '127.0.0.1', '[::1]']
const MIN_KEY_BYTES = 32

/** Validates the options and fills in the defaults. Throws `invalid_option`. */
export function toSettings(options: ServeMcpOptions): ServerSettings {
  const {
    name,
    version,
    pageSize = 1_000,
    listTtlMs = 0,
    maxBodyBytes = 4 * 1024 * 1024,
    questionTtlMs = 600_000,
  } = options ?? {}
  assertText('name', name)
  assertText('version', version)
  assertCount('pageSize', pageSize, 1)
  assertCount('listTtlMs', listTtlMs, 0)
  assertCount('maxBodyBytes', maxBodyBytes, 1)
  assertCount('questionTtlMs', questionTtlMs, 1_000)
  const {
    allowedHosts = LOOPBACK,
    allowedOrigins = allowedHosts,
    stateKey = crypto.getRandomValues(new Uint8Array(MIN_KEY_BYTES)),
  } = options
  assertList('allowedHosts', allowedHosts, isHostName, 'host names without scheme and port, such as mcp.example.com')
  assertList('allowedOrigins', allowedOrigins, isOrigin, 'origins or host names, such as https://app.example.com')
  const size = typeof stateKey === 'string' ? new TextEncoder().encode(stateKey).length : stateKey.length
  if (!(size >= MIN_KEY_BYTES)) throw invalid('stateKey', `at least ${MIN_KEY_BYTES} bytes`, `${size} bytes`)
  const report = (thrown: unknown) => {
    try {
      options.onError?.(thrown instanceof Error ? thrown : new Error(String(thrown)))
    } catch {
      // An error in the callback must not change the client's answer.
    }
  }
  return { ...options, pageSize, listTtlMs, maxBodyBytes, questionTtlMs, allowedHosts, allowedOrigins, stateKey, report }
}

function assertText(option: string, value: unknown): void {
  if (typeof value !== 'string' || value === '') throw invalid(option, 'a non-empty string', JSON.stringify(value))
}

function assertCount(option: string, value: unknown, least: number): void {
  if (!Number.isSafeInteger(value) || (value as number) < least)
    throw invalid(option, `a whole number of at least ${least}`, String(value))
}

function assertList(option: string, value: readonly string[], isValid: (item: unknown) => boolean, what: string): void {
  if (Array.isArray(value) && value.every(isValid)) return
  const wrong = Array.isArray(value) ? value.find((item) => !isValid(item)) : value
  throw invalid(option, `a list of ${what}`, JSON.stringify(wrong))
}

/** Returns true for an origin as browsers write it, without a path and without the default port. */
function isOrigin(value: unknown): boolean {
  if (isHostName(value)) return true
  if (typeof value !== 'string' || !value.includes('://') || !URL.canParse(value)) return false
  const { protocol, host } = new URL(value)
  return value === `${protocol}//${host}`
}

function isHostName(host: unknown): boolean {
  return typeof host === 'string' && URL.canParse(`http://${host}`) && new URL(`http://${host}`).hostname === host
}

function invalid(option: string, expected: string, got: string | undefined): McpError {
  return new McpError('invalid_option', `serveMcp: ${option} must be ${expected}, got ${got}.`)
}
