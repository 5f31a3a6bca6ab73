/** What worker processes note of what they do, in one file: it outlives them, and tells afterwards what came before what. */
import { appendFileSync, existsSync, readFileSync } from 'node:fs'

/**
 * `executing`: a step begins to do what it does. `given`: a step has resolved, and so must have been recorded.
 * `row`: something was written for good, under a key.
 */
export type Noted = 'executing' | 'given' | 'row'

export interface Note {
  readonly pid: number
  readonly noted: Noted
  readonly runId: string
  /** The key of a step, or the name of what a row is about. */
  readonly name: string
}

/** It is with the system when this returns. */
export function addNote(file: string, noted: Noted, runId: string, name: string): void {
  appendFileSync(file, `${JSON.stringify({ pid: process.pid, noted, runId, name } satisfies Note)}\n`)
}

export function readNotes(file: string): readonly Note[] {
  if (!existsSync(file)) return []
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Note)
}

/** What must not be: a step that began again after it was recorded. Steps under way at a crash may begin again. */
export function repeatedSteps(notes: readonly Note[]): readonly string[] {
  const given = new Set<string>()
  const repeated: string[] = []
  for (const { noted, runId, name, pid } of notes) {
    const step = `${runId} ${name}`
    if (noted === 'given') given.add(step)
    if (noted === 'executing' && given.has(step)) repeated.push(`${step} was executed again by ${pid}`)
  }
  return repeated
}

/** Rows that are there more than once. */
export function doubledRows(notes: readonly Note[]): readonly string[] {
  const rows = notes.filter(({ noted }) => noted === 'row').map(({ runId, name }) => `${runId} ${name}`)
  return rows.filter((row, index) => rows.indexOf(row) !== index)
}

export function countOf(notes: readonly Note[], noted: Noted): number {
  return notes.filter((note) => note.noted === noted).length
}
