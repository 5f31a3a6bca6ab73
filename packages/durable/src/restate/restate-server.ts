/** The requests that the engine sends to the server. */
import type { RunFailure } from '../errors.ts'
import { decisionKey, FAILURE_KEY, readFailure, toNamedDecision } from './envelopes.ts'
import type { Query } from './journal-entries.ts'
import type { CheckedOptions } from './options.ts'
import { register } from './register.ts'
import { type Answer, ask, failed, type Question } from './requests.ts'

export type ResultAnswer =
  | { readonly state: 'finished'; readonly output: string }
  | { readonly state: 'failed'; readonly failure: RunFailure }
  | { readonly state: 'cancelled' | 'unknown' }

/** An invocation. `wasThere` is true if it existed before this request. */
export interface Sent {
  readonly invocation: string
  readonly wasThere: boolean
}

export interface RestateServer {
  /**
   * Resolves when the server is ready to answer. With `patienceMs`, rejects after this time, and doesn't report the problem in
   * another way.
   */
  meet(patienceMs?: number): Promise<void>
  /** Registers the workers at the URL. */
  register(): Promise<void>
  start(id: string, input: string, signal?: AbortSignal): Promise<Sent>
  result(id: string, signal?: AbortSignal): Promise<ResultAnswer>
  /**
   * Returns what `find` finds in the server's tables. For seconds after its start, the server leaves out the runs of partitions that
   * it hasn't opened yet. The ingress waits for them, so it is asked about a run that isn't found.
   */
  confirmMissing<T>(id: string, find: () => Promise<T | undefined>): Promise<T | undefined>
  /** Sends a decision, which a worker then records. The first decision for a name is final. */
  decide(id: string, name: string, decision: string): Promise<Sent>
  /** Leaves a mark for the run. */
  mark(id: string, mark: string): Promise<Sent>
  kill(invocation: string): Promise<void>
  /** Deletes an invocation that has ended. */
  purge(invocation: string): Promise<void>
  /** Makes the server stop executing a run until it is resumed. */
  pause(invocation: string): Promise<void>
  resume(invocation: string): Promise<void>
  readonly query: Query
}

type Options = Omit<CheckedOptions<never, unknown>, 'fn' | 'port' | 'host'>

export function connectServer(options: Options, signal: AbortSignal): RestateServer {
  const { name, ingressUrl, adminUrl } = options
  const how = { ...options, signal }
  const askWell = async (question: Question, asked = how): Promise<Answer> => {
    const answer = await ask(question, asked)
    if (answer.status === 404 && question.isMissingFine) return answer
    if (answer.status >= 300) throw failed(question.url, question.what, `${answer.status} ${answer.text.slice(0, 500)}`)
    return answer
  }
  const urlOf = (id: string, handler: string) => `${ingressUrl}/${name}/${encodeURIComponent(id)}/${handler}`
  const send = async (url: string, body: string, more: Pick<Question, 'idempotencyKey' | 'signal'>): Promise<Sent> => {
    const what = `start or decide a run of "${name}" (a worker with this name must have registered once)`
    const { text } = await askWell({ url: `${url}/send`, what, body, isLater: isNoService, ...more })
    const { invocationId, status } = JSON.parse(text) as { readonly invocationId: string; readonly status: string }
    return { invocation: invocationId, wasThere: status !== 'Accepted' }
  }
  const patch = async (path: string, what: string) => {
    const url = `${adminUrl}/invocations/${path}`
    const { status, text } = await ask({ url, what, method: 'PATCH' }, how)
    // The run has ended, no longer exists, or is already in the requested state.
    if (status >= 300 && status !== 409 && status !== 404) throw failed(url, what, `${status} ${text.slice(0, 500)}`)
  }
  return {
    async meet(patienceMs) {
      const asked = patienceMs === undefined ? how : { ...how, patienceMs, report: () => {} }
      await askWell({ url: `${adminUrl}/health`, what: 'answer the health check of its admin API' }, asked)
      await askWell({ url: `${ingressUrl}/restate/health`, what: 'answer the health check of its ingress' }, asked)
    },
    register: () => register(options, (question) => askWell(question)),
    start: (id, input, wanted) => send(urlOf(id, 'run'), input, { signal: wanted }),
    async result(id, wanted) {
      const url = `${ingressUrl}/restate/workflow/${name}/${encodeURIComponent(id)}/attach`
      const answer = await ask({ url, what: 'wait for the run', isLong: true, signal: wanted }, how)
      if (answer.status === 200) return { state: 'finished', output: answer.text }
      if (answer.status === 404) return { state: 'unknown' }
      const { source, message, metadata } = readError(answer.text)
      if (source !== 'invocation') throw failed(url, 'wait for the run', `${answer.status} ${answer.text.slice(0, 500)}`)
      const failure = readFailure(metadata?.[FAILURE_KEY])
      if (failure === undefined && answer.status === 409) return { state: 'cancelled' }
      return { state: 'failed', failure: failure ?? { name: 'Error', message: message ?? '' } }
    },
    async confirmMissing(id, find) {
      const found = await find()
      if (found !== undefined) return found
      const url = `${ingressUrl}/restate/workflow/${name}/${encodeURIComponent(id)}/output`
      const what = 'look for the run'
      const { status, text } = await ask({ url, what }, how)
      if (status === 404) return undefined
      const isKnown = status === 200 || status === UNFINISHED || readError(text).source === 'invocation'
      if (!isKnown) throw failed(url, what, `${status} ${text.slice(0, 500)}`)
      return await find()
    },
    decide: (id, decided, decision) =>
      send(urlOf(id, 'decide'), toNamedDecision(decided, decision), { idempotencyKey: decisionKey(decided) }),
    mark: (id, mark) => send(urlOf(id, 'mark'), '{}', { idempotencyKey: mark }),
    kill: (invocation) => patch(`${invocation}/kill`, 'cancel the run'),
    purge: (invocation) => patch(`${invocation}/purge`, 'remove the run'),
    pause: (invocation) => patch(`${invocation}/pause`, 'hold the run'),
    resume: (invocation) => patch(`${invocation}/resume`, 'resume the run'),
    async query(sql, wanted) {
      const body = JSON.stringify({ query: sql })
      const question = {
        url: `${adminUrl}/query`,
        what: 'query its tables',
        body,
        isAlone: true,
        isLater: isUnready,
        signal: wanted,
      }
      const { text } = await askWell(question)
      return (JSON.parse(text) as { readonly rows: readonly object[] }).rows
    },
  }
}

/** Returns true if no worker has registered the service, or if the server is still processing the registration. */
function isNoService({ status, text }: Answer): boolean {
  return status === 404 && readError(text).source === 'ingress'
}

/** Returns true if the server is still starting and lacks some of its tables. */
function isUnready({ status }: Answer): boolean {
  return status >= 500
}

interface ServerError {
  /** The value `invocation` means that the run ended with this error. */
  readonly source?: string
  readonly message?: string
  readonly metadata?: Readonly<Record<string, string>>
}

/** The ingress's answer about the output of a run that hasn't ended. */
const UNFINISHED = 470

function readError(text: string): ServerError {
  try {
    return JSON.parse(text) as ServerError
  } catch {
    return {}
  }
}
