/** Reads a text file, or some of its lines. */
import { fileError } from '../errors.ts'
import { type ReadLimits, readWhole, withFile } from '../jail/file.ts'
import type { Jail } from '../jail/jail.ts'
import type { Place } from '../path.ts'
import { quote } from '../quote.ts'
import { decodeText, splitLines } from './text.ts'

export interface ReadRange {
  /** First line, counted from 1. */
  readonly startLine: number
  readonly lineCount: number
}

export interface FileText {
  readonly path: string
  readonly text: string
  /** Size of the whole file, in bytes. */
  readonly size: number
  /** Number of lines in the whole file. */
  readonly lines: number
  /** True when more lines follow. */
  readonly truncated: boolean
}

export async function readText(jail: Jail, place: Place, range: ReadRange, limits: ReadLimits): Promise<FileText> {
  if (place.names.length === 0) throw fileError('not_a_regular_file', `${quote(place.given)} is the root directory, not a file.`)
  const bytes = await jail.within(place, (entry) => withFile(jail, entry, (file) => readWhole(file, place.given, limits)))
  const text = decodeText(bytes)
  if (text === undefined) throw fileError('binary', `${quote(place.given)} is not a text file: it contains NUL or invalid UTF-8.`)
  const lines = splitLines(text)
  const start = Math.max(0, range.startLine - 1)
  const end = start + Math.max(0, range.lineCount)
  return {
    path: place.path,
    text: lines.slice(start, end).join(''),
    size: bytes.length,
    lines: lines.length,
    truncated: end < lines.length,
  }
}
