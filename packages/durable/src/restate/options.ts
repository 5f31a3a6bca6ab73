/** What the engine on Restate is told, checked and completed. */
import type { RunFunction, WatchOptions } from '../engine/engine.ts'
import { LONGEST_MS, type Tell, toTell, wrongOption } from '../engine/options.ts'

export interface RestateEngineOptions<Input, Output> extends WatchOptions {
  /** Of the service in which the runs are; engines of one name share them. Starts with a letter; letters, digits, `_`, `-` and `.`. */
  readonly name: string
  /** Where the server takes requests; http://127.0.0.1:8080 unless told. */
  readonly ingressUrl?: string | undefined
  /** Where the server is administered; http://127.0.0.1:9070 unless told. */
  readonly adminUrl?: string | undefined
  /** Of each request, to both addresses: `{ authorization: 'Bearer …' }` for Restate Cloud, or what a proxy asks for. */
  readonly headers?: Readonly<Record<string, string>> | undefined
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
  /**
   * What a step, an input, an output or a decision may have as text; 30 million bytes unless told, which is what a server takes that is
   * set up as usual. What has more is refused here with `invalid_value`.
   */
  readonly maxRecordBytes?: number | undefined
  /** How long a server that does not answer, or has no worker, is asked again; 30 seconds unless told. */
  readonly patienceMs?: number | undefined
}

/** All of them, addresses without a slash at their end. */
export type CheckedOptions<Input, Output> = {
  readonly [Key in keyof Omit<RestateEngineOptions<Input, Output>, 'fn' | 'onProblem'>]-?: NonNullable<
    RestateEngineOptions<Input, Output>[Key]
  >
} & Pick<RestateEngineOptions<Input, Output>, 'fn'> & { readonly tell: Tell }

const DAY = 24 * 60 * 60 * 1000

/** Throws `invalid_options`. */
export function checkOptions<Input, Output>(options: RestateEngineOptions<Input, Output>): CheckedOptions<Input, Output> {
  const { name, fn, port = 9080, host = '127.0.0.1', maxRecordBytes = 30_000_000, onProblem } = options ?? ({} as typeof options)
  if (typeof name !== 'string' || !/^[A-Za-z][\w.-]{0,99}$/.test(name)) {
    throw wrong('name', 'Give a letter, then up to 99 letters, digits, "_", "-" or ".".')
  }
  if (fn !== undefined && typeof fn !== 'function') throw wrong('fn', 'Give a function of the input and the run, or none.')
  if (onProblem !== undefined && typeof onProblem !== 'function') throw wrong('onProblem', 'Give a function, or none.')
  if (!Number.isSafeInteger(maxRecordBytes) || maxRecordBytes < 1000)
    throw wrong('maxRecordBytes', 'Give a whole number from 1000 on.')
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw wrong('port', 'Give a whole number from 1 to 65535.')
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
    patienceMs: duration('patienceMs', options.patienceMs ?? 30 * 1000, LONGEST_MS),
    tell: toTell(onProblem, 'A worker on Restate, or its server, did not do what is tried again'),
  }
}

/** What is wrong with it is not shown: it may hold a password. */
function address(option: string, value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw wrong(option, 'Give one that begins with http:// or https://.')
  if (url.username !== '' || url.password !== '') throw wrong(option, 'Give it without a name and a password: use "headers".')
  return url.href.replace(/\/$/, '')
}

function headersOf(value: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  try {
    return Object.fromEntries(new Headers(value))
  } catch {
    // Its words have the value in them.
    throw wrong('headers', 'Give an object of names and values, as HTTP allows them.')
  }
}

function duration(option: string, value: number, most: number): number {
  if (Number.isFinite(value) && value >= 0 && value <= most) return value
  throw wrong(option, `Give milliseconds from 0 to ${most}.`)
}

function wrong(option: string, words: string) {
  return wrongOption('createRestateEngine', option, words)
}
