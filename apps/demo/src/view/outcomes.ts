/** Prints the end of the tour: the result of each request, in a table or, on a narrow terminal, in a few lines. */

import type { RequestRecord } from '../agent/session.ts'
import type { DemoRequest } from '../domains/domain.ts'
import { duration, oneLine } from './plain-text.ts'
import { layOut, widthsOf } from './table.ts'
import type { Terminal } from './terminal.ts'

export interface Outcome {
  readonly stop: string
  readonly request: DemoRequest
  readonly record: RequestRecord
  readonly passed: boolean
}

/** Minimum number of columns for the request in a table. */
const LEAST_ROOM = 24
/** Maximum number of columns for tool names, usually enough for two names. */
const MOST_NAMES = 28

/** Prints a table that fits the width of the terminal. */
export function showOutcomes(terminal: Terminal, outcomes: readonly Outcome[]): void {
  const { line, paint, width } = terminal
  const taken = widthsOf(tableOf(outcomes, 0)).reduce((sum, column) => sum + column + GAP, -GAP)
  const room = width - taken + REQUEST_HEADING.length
  line()
  if (room < LEAST_ROOM) for (const outcome of outcomes) showStacked(terminal, outcome)
  else showTable(terminal, tableOf(outcomes, room))
  const passed = outcomes.filter((outcome) => outcome.passed).length
  line()
  line(paint(passed === outcomes.length ? 'green' : 'red', `${passed} of ${outcomes.length} requests passed`))
}

/** Spaces between two columns. */
const GAP = 2
const REQUEST_HEADING = 'request'

function tableOf(outcomes: readonly Outcome[], room: number): readonly (readonly string[])[] {
  const rows = outcomes.map(({ stop, request, record, passed }) => [
    stop,
    room === 0 ? '' : oneLine(request.request, room),
    oneLine(namesOf(request.expected), MOST_NAMES),
    oneLine(namesOf(record.calls), MOST_NAMES),
    markOf(passed),
    duration(record.ms),
  ])
  return [['domain', REQUEST_HEADING, 'expected tools', 'called tools', 'pass', 'time'], ...rows]
}

function showTable({ line, paint }: Terminal, rows: readonly (readonly string[])[]): void {
  const [heading = '', ...body] = layOut(rows)
  line(paint('bold', heading))
  for (const text of body) line(text.includes('✗') ? paint('red', text) : text)
}

function showStacked({ line, paint, width }: Terminal, { request, record, passed }: Outcome): void {
  const show = (text: string) => line(passed ? text : paint('red', text))
  show(oneLine(`${markOf(passed)} ${request.request}`, width))
  const time = ` (${duration(record.ms)})`
  show(`  ${oneLine(`called ${namesOf(record.calls)}`, width - time.length - 2)}${time}`)
  if (!passed) show(`  ${oneLine(`expected ${namesOf(request.expected)}`, width - 2)}`)
}

function namesOf(calls: readonly { readonly tool: string }[]): string {
  return calls.map(({ tool }) => tool).join(', ') || '(none)'
}

function markOf(passed: boolean): string {
  return passed ? '✓' : '✗'
}
