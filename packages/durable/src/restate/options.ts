/** Options for the Restate engine. */
import type { CrashOptions, RunFunction, WatchOptions } from '../engine/engine.ts'
import { checkMaxCrashes, LONGEST_MS, type Report, refuseRateLimit, toReport, wrongOption } from '../engine/options.ts'

export interface RestateEngineOptions<Input, Output> extends WatchOptions, CrashOptions {
  /**
   * Name of the service that the runs belong to. Engines with the same name share their runs. A letter, followed by letters,
   * digits, `_`, `-` and `.`.
   */
  readonly name: string
  /** URL of the server's ingress. Default: http://127.0.0.1:8080. */
  readonly ingressUrl?: string | undefined
  /** URL of the server's admin API. Default: http://127.0.0.1:9070. */
  readonly adminUrl?: string | undefined
  /** Headers for every request to the server, such as `{ authorization: 'Bearer …' }` for Restate Cloud or a proxy. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Function that runs execute. With it, the engine is a worker. Without it, the engine is a client. */
  readonly fn?: RunFunction<Input, Output> | undefined
  /** Port that the worker listens on. Default: 9080. */
  readonly port?: number | undefined
  /**
   * Address that the worker listens on. Default: 127.0.0.1. Any client that can reach it can execute runs, so allow access only
   * from the server.
   */
  readonly host?: string | undefined
  /**
   * Public keys of the server. If set, the worker accepts only requests that are signed with one of them. Default: accepts any
   * request.
   */
  readonly identityKeys?: readonly string[] | undefined
  /**
   * URL at which the server reaches the workers. With several workers, use the URL of a load balancer. It must not change while
   * there are active runs. Default: http://127.0.0.1:PORT.
   */
  readonly uri?: string | undefined
  /** How long the server keeps an ended run and its id, in milliseconds. Default: 7 days. */
  readonly retentionMs?: number | undefined
  /**
   * Maximum size of a recorded step, input, output or decision, in bytes. Larger ones are refused with `invalid_value`. The
   * server's default configuration accepts the default. Default: 30,000,000.
   */
  readonly maxRecordBytes?: number | undefined
  /** How long to retry while the server doesn't answer or has no worker, in milliseconds. Default: 30,000. */
  readonly patienceMs?: number | undefined
}

/** Validated options with defaults. URLs have no trailing slash. */
export type CheckedOptions<Input, Output> = {
  readonly [Key in keyof Omit<RestateEngineOptions<Input, Output>, 'fn' | 'onProblem'>]-?: NonNullable<
    RestateEngineOptions<Input, Output>[Key]
  >
} & Pick<RestateEngineOptions<Input, Output>, 'fn'> & { readonly report: Report }

/**
 * The least number of crashes after which a run is given up. The last of them happened while no other suspect was executed. The first leaves
 * no mark, and the second may have been that of another run.
 */
export const LEAST_CRASHES = 3

const DAY = 24 * 60 * 60 * 1000

/** Checks the options and fills in the defaults. Throws `invalid_options`. */
export function checkOptions<Input, Output>(options: RestateEngineOptions<Input, Output>): CheckedOptions<Input, Output> {
  const { name, fn, port = 9080, host = '127.0.0.1', maxRecordBytes = 30_000_000, onProblem } = options ?? ({} as typeof options)
  if (typeof name !== 'string' || !/^[A-Za-z][\w.-]{0,99}$/.test(name)) {
    throw wrong('name', name, 'It must be a letter, followed by up to 99 letters, digits, "_", "-" or ".".')
  }
  if (fn !== undefined && typeof fn !== 'function')
    throw wrong('fn', fn, 'It must be a function (input, run) => output. Omit it to only start and decide runs.')
  if (onProblem !== undefined && typeof onProblem !== 'function') throw wrong('onProblem', onProblem, 'It must be a function.')
  if (!Number.isSafeInteger(maxRecordBytes) || maxRecordBytes < 1000)
    throw wrong('maxRecordBytes', maxRecordBytes, 'It must be an integer of at least 1000.')
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw wrong('port', port, 'It must be an integer from 1 to 65535.')
  refuseRateLimit('createRestateEngine', options)
  return {
    name,
    fn,
    port,
    host,
    maxRecordBytes,
    identityKeys: options.identityKeys ?? [],
    headers: headersOf(options.headers ?? {}),
    ingressUrl: address('ingressUrl', options.ingressUrl ?? 'http://127.0.0.1:8080'),
    adminUrl: address('adminUrl', options.adminUrl ?? 'http://127.0.0.1:9070'),
    uri: address('uri', options.uri ?? `http://127.0.0.1:${port}`),
    retentionMs: duration('retentionMs', options.retentionMs ?? 7 * DAY, Number.MAX_SAFE_INTEGER),
    maxCrashes: checkMaxCrashes('createRestateEngine', options.maxCrashes, LEAST_CRASHES),
    patienceMs: duration('patienceMs', options.patienceMs ?? 30 * 1000, LONGEST_MS),
    report: toReport(onProblem, 'A Restate operation failed and is retried'),
  }
}

/** Validates a URL. The error doesn't contain the URL, because it may include a password. */
function address(option: string, value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw wrong(option, value, 'It must start with http:// or https://.')
  if (url.username !== '' || url.password !== '')
    throw wrong(option, value, 'It must not contain a user name or password. Use "headers" instead.')
  return url.href.replace(/\/$/, '')
}

function headersOf(value: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  try {
    return Object.fromEntries(new Headers(value))
  } catch {
    // The original error isn't used, because its message contains the value.
    throw wrong('headers', value, 'It must be an object of valid HTTP header names and values.')
  }
}

function duration(option: string, value: number, most: number): number {
  if (Number.isFinite(value) && value >= 0 && value <= most) return value
  throw wrong(option, value, `It must be 0 to ${most} milliseconds.`)
}

function wrong(option: string, got: unknown, words: string) {
  return wrongOption('createRestateEngine', option, got, words)
}
