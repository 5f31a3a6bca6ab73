/** Prints an evaluation as it runs, and a table of the domains at the end. */
import type { Evaluation, Score } from '../evaluation/evaluation.ts'
import { oneLine, wrap } from './plain-text.ts'
import { layOut } from './table.ts'
import type { Terminal } from './terminal.ts'

export interface Scores {
  readonly domains: readonly (Score & { readonly name: string })[]
  readonly total: Score
  readonly atLeast: number
  readonly enough: boolean
}

/** Prints one line per request. For a request that wasn't served, also prints the expected and the actual calls. */
export function showEvaluated({ line, paint, width }: Terminal, { group, request, record, why }: Evaluation): void {
  line(
    paint(why === undefined ? 'green' : 'red', oneLine(`${why === undefined ? '✓' : '✗'} ${group}: ${request.request}`, width)),
  )
  if (why === undefined) return
  const show = (text: string) => {
    for (const part of wrap(text, width - 4)) line(`    ${part}`)
  }
  show(why)
  show(`expected ${namesOf(request.expected.map(({ tool, args = {}, fails }) => ({ tool, args, ok: !fails })))}`)
  show(`called   ${namesOf(record.calls)}`)
  if (!record.answered) show(record.answer)
}

/** Prints a table that fits the width of the terminal. */
export function showScores({ line, paint, width }: Terminal, { domains, total, atLeast, enough }: Scores): void {
  const rows = [...domains, { name: 'total', ...total }].map(({ name, requests, passed, precision, recall, f1 }) => [
    name,
    String(requests),
    String(passed),
    percent(passed / requests),
    ...[precision, recall, f1].map((value) => value.toFixed(2)),
  ])
  const [heading = '', ...body] = layOut([HEADINGS, ...rows])
  line()
  if (heading.length > width) for (const row of rows) line(oneLine(toStacked(row), width))
  else {
    line(paint('bold', heading))
    for (const text of body) line(text)
  }
  line()
  const verdict = `${total.passed} of ${total.requests} requests served (${percent(total.passed / total.requests)})`
  line(paint(enough ? 'green' : 'red', enough ? verdict : `${verdict}; the minimum is ${atLeast} %`))
}

const HEADINGS = ['domain', 'requests', 'served', '', 'precision', 'recall', 'F1']

/** Formats a row for a terminal that is too narrow for the table. */
function toStacked([name, requests, passed, , ...scores]: readonly string[]): string {
  return `${name}: ${passed} of ${requests}; ${scores.join(' ')}`
}

function namesOf(calls: readonly { readonly tool: string; readonly args: object; readonly ok: boolean }[]): string {
  return calls.map(({ tool, args, ok }) => `${tool} ${JSON.stringify(args)}${ok ? '' : ' (refused)'}`).join(', ') || 'nothing'
}

function percent(part: number): string {
  return `${(100 * part).toFixed(1)} %`
}
