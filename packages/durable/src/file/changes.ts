/** Records changes that come from outside a run: its start, decisions and cancellation. */
import { setTimeout as sleep } from 'node:timers/promises'
import { checkDecision } from '../engine/check-decision.ts'
import { assertSameDecision, assertSameInput, engineClosed, runEnded, unknownRun } from '../engine/run-errors.ts'
import { untilAborted } from '../engine/until-aborted.ts'
import { DurableError } from '../errors.ts'
import { recordedValue } from './journal/record.ts'
import type { LiveRun } from './live-run.ts'
import type { Order, Posted } from './mailbox.ts'
import type { OwnedRun } from './owned-run.ts'
import { END, type RunEnd, type RunRecords, type RunStart, START } from './run-records.ts'
import { isInUse, type RunStore, TRIES, TRY_EVERY_MS } from './run-store.ts'

/**
 * May take the journal of a run that was just started; it then returns true. If it returns false, the journal is closed, and any
 * process may take it.
 */
export type Keep = (owned: OwnedRun) => boolean

/** Starts a run. Resolves to true if the run is new and `keep` hasn't taken its journal. Rejects with `another_input`. */
export function begin(store: RunStore, id: string, input: unknown, keep: Keep): Promise<boolean> {
  return store.alone(id, async () => {
    for (let reads = 0; reads < MAX_READS; reads++) {
      const before = (await store.folder.read(id))?.start ?? (await beginNew(store, id, input, keep))
      if (before === 'begun') return true
      if (before === 'kept') return false
      // Another process has just moved the journal, so read it again.
      if (before === undefined) continue
      assertSameInput(id, before.input, input)
      return false
    }
    throw new DurableError('broken', `The journal of the run "${id}" in the folder "ended" is empty. Delete it.`)
  })
}

const MAX_READS = 5

/**
 * Creates the run. If another process was faster, resolves to the existing start, or to undefined if the run has already ended.
 */
async function beginNew(
  store: RunStore,
  id: string,
  input: unknown,
  keep: Keep,
): Promise<RunStart | 'begun' | 'kept' | undefined> {
  const owned = await store.ownNew(id)
  let isKept = false
  try {
    if (owned === undefined || owned.start !== undefined) return owned?.start
    const at = owned.createdAt ?? new Date().toISOString()
    await owned.journal.note(START, { id, input, at } satisfies RunStart)
    // Keeps the journal open, because closing and reopening it would take as long as a step.
    isKept = keep(owned)
    return isKept ? 'kept' : 'begun'
  } finally {
    if (!isKept) await owned?.close()
  }
}

/**
 * Records a decision or a cancellation. If another process has the run, sends an order to that process instead. Resolves to false
 * if the run has ended. Rejects with `unknown_run`, `invalid_value`, `already_decided`, or `in_use` if the other process doesn't
 * respond.
 */
export async function change(store: RunStore, id: string, what: Order['what']): Promise<boolean> {
  const records = await store.folder.read(id)
  if (records === undefined) throw unknownRun(id)
  const order: Order = { id, startedAt: records.start.at, what }
  if (records.end !== undefined) return false
  if (what.type === 'decide') checkDecision(what.name, what.value, records.waitsFor)
  let posted: Posted | undefined
  try {
    for (let tries = 1; ; tries++, await sleep(TRY_EVERY_MS)) {
      const here = await store.alone(id, () => tryHere(store, order, tries >= TRIES))
      if (here !== 'elsewhere' && here !== 'gone') return here
      if (here === 'gone' || posted?.isThere() === false) {
        const now = await store.folder.read(id)
        const outcome = now === undefined || now.start.at !== order.startedAt ? false : answer(order, now)
        if (outcome !== undefined) return outcome
        posted = undefined
      }
      if (store.isClosed) throw engineClosed()
      posted ??= await store.mailbox.post(order)
    }
  } finally {
    await posted?.withdraw()
  }
}

/**
 * Reopens a run that is held or was given up. Waits for a process that is just recording that, or that is also reopening the run. Rejects with
 * `unknown_run`, `run_ended`, and `in_use` if the other process doesn't release the run.
 */
export function retry(store: RunStore, id: string): Promise<void> {
  return store.patiently(() => store.alone(id, () => retryNow(store, id)))
}

async function retryNow(store: RunStore, id: string): Promise<void> {
  const records = await store.folder.read(id)
  if (records === undefined) throw unknownRun(id)
  if (records.end === undefined && records.misfit === undefined) return
  if (records.end !== undefined && records.end.failure?.code !== 'worker_crashed') throw runEnded(id)
  await using owned = await store.ownEnded(id)
  await owned?.resume()
}

/**
 * Executes the order here if no other process has the run. `elsewhere`: another process has it. `gone`: the run has ended or was
 * deleted.
 */
async function tryHere(store: RunStore, order: Order, isLast: boolean): Promise<boolean | 'elsewhere' | 'gone'> {
  const live = store.live.get(order.id)
  if (live !== undefined) return await obey(order, live.owned, live)
  try {
    await using owned = await store.own(order.id)
    return owned === undefined ? 'gone' : await obey(order, owned)
  } catch (cause) {
    if (!isInUse(cause) || isLast) throw cause
    return 'elsewhere'
  }
}

/**
 * Executes an order for a run that this process has. Resolves to false if the run has ended. Rejects with `already_decided`,
 * `invalid_value` or `write_failed`.
 */
export async function obey(order: Order, owned: OwnedRun, live?: LiveRun): Promise<boolean> {
  // While nothing can be recorded, rejects instead of making the caller wait. A record that has been made is written later.
  if (owned.journal.problem !== undefined) throw owned.journal.problem
  return await untilAborted(() => execute(order, owned, live), owned.journal.stuck)
}

async function execute({ id, startedAt, what }: Order, owned: OwnedRun, live: LiveRun | undefined): Promise<boolean> {
  // Once the end of the run is being recorded, a decision comes too late.
  await live?.ending
  if (owned.isOver || owned.start?.at !== startedAt) return false
  const { journal } = owned
  if (what.type === 'decide') {
    const { name, value } = what
    // The sender has checked the decision, but another program may have written the order.
    checkDecision(name, value, owned.waitsFor)
    if (journal.hasDecision(name)) assertSameDecision(id, name, await journal.wait(name), value)
    else await journal.decide(name, value)
  } else if (live !== undefined) await live.cancel()
  else await journal.note(END, { state: 'cancelled' } satisfies RunEnd)
  return true
}

/** Returns the outcome of an order from the journal, or undefined if the order hasn't been executed. Throws `already_decided`. */
function answer({ id, what }: Order, { end, decided }: RunRecords): boolean | undefined {
  const before = what.type === 'decide' ? decided.get(what.name) : undefined
  if (what.type !== 'decide' || before === undefined) return end === undefined ? undefined : false
  assertSameDecision(id, what.name, recordedValue(before), what.value)
  return true
}
