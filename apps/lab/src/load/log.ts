/** The log of a load test: a text file outside of the storage, to which all processes append. Lines survive the death of a process. */
import { appendFileSync, existsSync, readFileSync } from 'node:fs'

/**
 * `intent`: a worker is about to record the intent of a call. `effect`: a tool is executed. `recorded`: the result of a call is recorded.
 * `decided`: a decision was accepted. `refused`: a decision was refused. `killed`: a process is about to be killed.
 * `waits`: a run needs a decision.
 */
export type Event = 'intent' | 'effect' | 'recorded' | 'decided' | 'refused' | 'killed' | 'waits'

/** A test stops waiting when the log has had no new line for this long. Every engine takes over the runs of a dead worker sooner. */
export const STALLED_MS = 300_000

export interface Line {
  /** The process that does it, or that is killed. */
  readonly pid: number
  readonly event: Event
  readonly run: string
  /** Id of the call, type of the decision, or name of the decision that a run needs. */
  readonly call: string
  /** The amount of a payment, or why a decision was refused. */
  readonly detail: string
}

/** `pid` of a server that is killed. */
export const SERVER = 0

export function addKill(file: string, pid: number): void {
  appendFileSync(file, `${pid} killed - -\n`)
}

export function addLine(file: string, event: Event, run: string, call: string, detail: string | number = ''): void {
  appendFileSync(file, `${process.pid} ${event} ${run} ${call} ${detail}\n`)
}

export function readLines(file: string): readonly Line[] {
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1)
  return lines.map((line) => {
    const [pid, event, run = '', call = '', detail = ''] = line.split(' ')
    return { pid: Number(pid), event: event as Event, run, call, detail }
  })
}

/**
 * Returns a function that returns true when the log has had no new line for `STALLED_MS`. A line that was already written since this call,
 * even by another process, isn't new: a run that ends its workers writes the same lines again and again.
 */
export function watchLog(file: string): () => boolean {
  const { length } = readLines(file)
  let [known, since] = [0, Date.now()]
  return () => {
    const lines = readLines(file).slice(length)
    const { size } = new Set(lines.map(({ event, run, call }) => `${event} ${run} ${call}`))
    if (size > known) [known, since] = [size, Date.now()]
    return Date.now() - since > STALLED_MS
  }
}
