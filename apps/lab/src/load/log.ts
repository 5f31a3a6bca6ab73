/** The log of a load test: a text file outside of the storage, to which all processes append. Lines survive the death of a process. */
import { appendFileSync, existsSync, readFileSync } from 'node:fs'

/**
 * `intent`: a worker is about to record the intent of a call. `effect`: a tool is executed. `recorded`: the result of a call is recorded.
 * `decided`: a decision was accepted. `refused`: a decision was refused. `killed`: a process is about to be killed.
 */
export type Event = 'intent' | 'effect' | 'recorded' | 'decided' | 'refused' | 'killed'

export interface Line {
  /** The process that does it, or that is killed. */
  readonly pid: number
  readonly event: Event
  readonly run: string
  /** Id of the call, or for a decision its type. */
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
