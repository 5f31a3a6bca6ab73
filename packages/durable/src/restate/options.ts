/** What the engine on Restate is told, checked and completed. */
import type { RunFunction } from '../engine.ts'
import { DurableError } from '../errors.ts'

export interface RestateEngineOptions<Input, Output> {
  /** Of the service in which the runs are; engines of one name share them. Starts with a letter; letters, digits, `_`, `-` and `.`. */
  readonly name: string
  /** Where the server takes requests; http://127.0.0.1:8080 unless told. */
  readonly ingressUrl?: string | undefined
  /** Where the server is administered; http://127.0.0.1:9070 unless told. */
  readonly adminUrl?: string | undefined
  /** Makes the engine a worker. */
  readonly fn?: RunFunction<Input, Output> | undefined
  /** At which the worker serves the server; 9080 unless told. */
  readonly port?: number | undefined
  /** On which the worker listens: 127.0.0.1 unless told. Whoever reaches this port can execute runs, so let only the server. */
  readonly host?: string | undefined
  /** The public keys of the server, of requests that it signs: a worker with keys answers to nobody else. */
  readonly identityKeys?: readonly string[] | undefined
  /**
   * By which the server reaches the workers; http://127.0.0.1:PORT unless told. It must stay the same as long as runs are under way, and
   * is that of a balancer where there are several workers.
   */
  readonly uri?: string | undefined
  /** How long a run that is over can be looked at, and its id is taken; 7 days unless told. */
  readonly retentionMs?: number | undefined
  /** How long a server that does not answer, or has no worker, is asked again; 30 seconds unless told. */
  readonly patienceMs?: number | undefined
}

/** All of them, addresses without a slash at their end. */
export type CheckedOptions<Input, Output> = {
  readonly [Key in keyof Omit<RestateEngineOptions<Input, Output>, 'fn'>]-?: NonNullable<RestateEngineOptions<Input, Output>[Key]>
} & Pick<RestateEngineOptions<Input, Output>, 'fn'>

const DAY = 24 * 60 * 60 * 1000

/** Throws `invalid_options`. */
export function checkOptions<Input, Output>(options: RestateEngineOptions<Input, Output>): CheckedOptions<Input, Output> {
  const { name, fn, port = 9080, host = '127.0.0.1' } = options
  if (typeof name !== 'string' || !/^[A-Za-z][\w.-]{0,99}$/.test(name)) {
    throw invalid('name', name, 'a letter, then up to 99 letters, digits, "_", "-" or "."')
  }
  if (fn !== undefined && typeof fn !== 'function') throw invalid('fn', fn, 'the function of the runs, or nothing')
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw invalid('port', port, 'a whole number from 1 to 65535')
  return {
    name,
    fn,
    port,
    host,
    identityKeys: options.identityKeys ?? [],
    ingressUrl: address('ingressUrl', options.ingressUrl ?? 'http://127.0.0.1:8080'),
    adminUrl: address('adminUrl', options.adminUrl ?? 'http://127.0.0.1:9070'),
    uri: address('uri', options.uri ?? `http://127.0.0.1:${port}`),
    retentionMs: duration('retentionMs', options.retentionMs ?? 7 * DAY),
    patienceMs: duration('patienceMs', options.patienceMs ?? 30 * 1000),
  }
}

function address(option: string, value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url.href.replace(/\/$/, '')
  throw invalid(option, value, 'an address that begins with http:// or https://')
}

function duration(option: string, value: number): number {
  if (Number.isFinite(value) && value >= 0) return value
  throw invalid(option, value, 'a number of milliseconds')
}

function invalid(option: string, value: unknown, wanted: string): DurableError {
  const found = typeof value === 'string' ? JSON.stringify(value) : String(value)
  return new DurableError('invalid_options', `${option} of createRestateEngine is ${found}; it must be ${wanted}.`)
}
