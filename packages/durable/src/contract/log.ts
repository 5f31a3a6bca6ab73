/**
 * The traces of worker processes: notes about what they do, in order, and rows that they write. Both survive when a process is
 * killed.
 */
import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, linkSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * `executing`: a step is about to be executed. `given`: a step has returned its result, so it must have been recorded. `stalling`: the
 * process is about to suspend itself inside a step.
 */
export type Noted = 'executing' | 'given' | 'stalling'

export interface Note {
  readonly pid: number
  readonly noted: Noted
  readonly runId: string
  /** Key of the step. */
  readonly name: string
}

export interface Row {
  readonly runId: string
  readonly name: string
}

/** Adds a note. Once this returns, the note survives the death of the process. */
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

/** Writes a row unless a row with this key exists, like a table with a unique column. Atomic. */
export function addRow(folder: string, key: string, row: Row): void {
  const rows = join(folder, ROWS)
  mkdirSync(rows, { recursive: true })
  const draft = join(folder, `draft-${process.pid}`)
  writeFileSync(draft, JSON.stringify(row))
  try {
    linkSync(draft, join(rows, createHash('sha256').update(key).digest('hex')))
  } catch (cause) {
    if ((cause as { code?: unknown }).code !== 'EEXIST') throw cause
  }
  rmSync(draft)
}

export function readRows(folder: string): readonly Row[] {
  const rows = join(folder, ROWS)
  if (!existsSync(rows)) return []
  return readdirSync(rows).map((name) => JSON.parse(readFileSync(join(rows, name), 'utf8')) as Row)
}

const ROWS = 'rows'

/**
 * Returns the steps that were executed again after they had been recorded, which must never happen. A step that a crash
 * interrupted may be executed again.
 */
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

/** Returns the keys of rows that exist more than once. */
export function doubledRows(rows: readonly Row[]): readonly string[] {
  const texts = rows.map(({ runId, name }) => `${runId} ${name}`)
  return texts.filter((text, index) => texts.indexOf(text) !== index)
}

export function countOf(notes: readonly Note[], noted: Noted): number {
  return notes.filter((note) => note.noted === noted).length
}
