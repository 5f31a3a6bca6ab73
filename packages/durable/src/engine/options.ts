/** Option checks that all engines share. */
import { DurableError } from '../errors.ts'
import type { ListOptions, RunStatus } from './engine.ts'
import { isRunId } from './run-errors.ts'

/** Maximum delay of `setTimeout`, in milliseconds. */
export const LONGEST_MS = 2_147_483_647
const LIST_LIMIT = 100

/** Returns the error for an invalid option. `creator` is the function that received the option. */
export function wrongOption(creator: string, option: string, got: unknown, words: string): DurableError {
  return new DurableError('invalid_options', `${creator}: the option "${option}" is invalid, got ${kindOf(got)}. ${words}`)
}

/**
 * Describes a value for an error message. Shows numbers, but only the type of any other value, because URLs and headers may
 * contain passwords.
 */
function kindOf(value: unknown): string {
  if (typeof value === 'number' || value === null || value === undefined) return String(value)
  if (typeof value === 'string') return value === '' ? 'an empty string' : 'a string'
  return `a value of type ${typeof value}`
}

const FILTER_KEYS = ['state', 'startedFrom', 'startedBefore', 'waitsFor', 'version', 'crashing']
const LIST_KEYS = [...FILTER_KEYS, 'limit', 'after']
const STATES = ['queued', 'running', 'waiting', 'held', 'finished', 'failed', 'cancelled']

/** Throws `invalid_options` for a filter with an unknown key. Without this check, a misspelled condition would select every run. */
export function checkFilterKeys(caller: string, filter: object, keys = FILTER_KEYS): void {
  if (!isPlainObject(filter))
    throw new DurableError('invalid_options', `${caller}: pass the conditions as an object, e.g. { state: 'waiting' }.`)
  for (const key of Object.keys(filter))
    if (!keys.includes(key))
      throw new DurableError(
        'invalid_options',
        `${caller}: the option ${JSON.stringify(key)} is unknown. Correct or remove it. The options are ${keys.join(', ')}.`,
      )
}

/** A `Date` or a `Map` has no keys to check, and would select every run. */
function isPlainObject(value: unknown): boolean {
  const prototype = typeof value === 'object' && value !== null && Object.getPrototypeOf(value)
  return prototype === null || (typeof prototype === 'object' && Object.getPrototypeOf(prototype) === null)
}

export interface CheckedListOptions extends ListOptions {
  readonly limit: number
}

/** Validates list options and fills in the default limit. Throws `invalid_options`. */
export function checkListOptions(options: ListOptions, isDbos = false): CheckedListOptions {
  checkFilterKeys('list', options, LIST_KEYS)
  const { limit = LIST_LIMIT, after, startedFrom, startedBefore, waitsFor, version, crashing } = options
  const { state = waitsFor === undefined ? undefined : 'waiting' } = options
  if (!Number.isSafeInteger(limit) || limit < 0) throw wrongOption('list', 'limit', limit, 'It must be an integer of at least 0.')
  if (after !== undefined && (!isRunId(after?.id) || Number.isNaN(Date.parse(after.startedAt))))
    throw wrongOption('list', 'after', after, 'It must be the status of a run, or its { id, startedAt }.')
  if (state !== undefined && !STATES.includes(state))
    throw new DurableError(
      'invalid_options',
      `list: the option "state" is invalid, got ${JSON.stringify(state)}. The states are ${STATES.join(', ')}.`,
    )
  checkTime('startedFrom', startedFrom)
  checkTime('startedBefore', startedBefore)
  const texts: Record<string, unknown> = { waitsFor, version }
  for (const [option, value] of Object.entries(texts))
    if (value !== undefined && typeof value !== 'string') throw wrongOption('list', option, value, 'It must be a string.')
  if (crashing !== undefined && typeof crashing !== 'boolean')
    throw wrongOption('list', 'crashing', crashing, 'It must be true or false.')
  if (waitsFor !== undefined && state !== 'waiting')
    throw wrongOption('list', 'waitsFor', waitsFor, 'Only runs in the state "waiting" wait for a decision.')
  if (version !== undefined && !isDbos) throw wrongOption('list', 'version', version, 'The runs of this engine have no version.')
  if (crashing !== undefined && !isDbos)
    throw wrongOption('list', 'crashing', crashing, 'This engine does not list runs by their crashes.')
  return { state, limit, after, startedFrom, startedBefore, waitsFor, version, crashing }
}

function checkTime(option: string, time: string | undefined): void {
  if (time !== undefined && (typeof time !== 'string' || Number.isNaN(Date.parse(time))))
    throw wrongOption('list', option, time, 'It must be a time in ISO 8601, e.g. new Date().toISOString().')
}

/** Returns true if the run still meets the conditions. It may have changed since the query that selected it. */
export function isListed(run: RunStatus, { state, startedFrom, startedBefore, waitsFor, crashing }: ListOptions): boolean {
  if (state !== undefined && run.state !== state) return false
  if (startedFrom !== undefined && Date.parse(run.startedAt) < Date.parse(startedFrom)) return false
  if (startedBefore !== undefined && Date.parse(run.startedAt) >= Date.parse(startedBefore)) return false
  if (crashing !== undefined && crashing !== (run.crashes !== undefined)) return false
  return waitsFor === undefined || run.waitsFor.some(({ name }) => name === waitsFor)
}

const MAX_CRASHES = 5

/** Validates `maxCrashes` and fills in the default. Throws `invalid_options`. */
export function checkMaxCrashes(creator: string, maxCrashes = MAX_CRASHES, least = 1): number {
  if (Number.isSafeInteger(maxCrashes) && maxCrashes >= least) return maxCrashes
  throw wrongOption(creator, 'maxCrashes', maxCrashes, `It must be an integer of at least ${least}.`)
}

/** Throws `invalid_options` for an option that only the DBOS engine has. Without it, an engine would ignore the limit. */
export function refuseRateLimit(creator: string, options: object): void {
  const { rateLimit } = options as { readonly rateLimit?: unknown }
  if (rateLimit !== undefined)
    throw wrongOption(
      creator,
      'rateLimit',
      rateLimit,
      'This engine has no rate limit. Use createDbosEngine, or limit calls in your tools.',
    )
}

/** Validates `retentionMs`. Throws `invalid_options`. */
export function checkRetention(creator: string, retentionMs: number | undefined): number | undefined {
  const isTime = Number.isFinite(retentionMs) && Number(retentionMs) >= 0 && Number(retentionMs) <= Number.MAX_SAFE_INTEGER
  if (retentionMs === undefined || isTime) return retentionMs
  const words = `It must be 0 to ${Number.MAX_SAFE_INTEGER} milliseconds. Omit it to keep ended runs.`
  throw wrongOption(creator, 'retentionMs', retentionMs, words)
}

export type Report = (cause: unknown) => void

/**
 * Returns a function that calls `onProblem`. It wraps errors of other packages as `engine_failed`, and ignores errors that
 * `onProblem` throws.
 */
export function toReport(onProblem: ((problem: DurableError) => void) | undefined, words: string): Report {
  if (onProblem === undefined) return () => {}
  return (cause) => {
    const message = cause instanceof Error ? cause.message : String(cause)
    const problem = cause instanceof DurableError ? cause : new DurableError('engine_failed', `${words}: ${message}`, { cause })
    try {
      onProblem(problem)
    } catch {
      // An error in the callback can't be reported anywhere.
    }
  }
}
