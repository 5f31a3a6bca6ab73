/** The tour: the first requests of every domain, shown live, and a table of how they went. */
import type { LM } from '@x/adapters'
import type { DomainEntry } from '../domains/index.ts'
import { loadGroups } from '../groups.ts'
import { isServed } from '../judge.ts'
import { openSession } from '../session.ts'
import type { DatabasePlace } from '../sql/place.ts'
import { createLiveView, showAnswer } from '../view/live-view.ts'
import { type Outcome, showOutcomes } from '../view/outcomes.ts'
import { duration, oneLine } from '../view/plain-text.ts'
import type { Terminal } from '../view/terminal.ts'

export interface TourOptions {
  readonly entries: readonly DomainEntry[]
  readonly lm: LM
  /** A new and empty database for each domain. */
  readonly newPlace: () => DatabasePlace
  readonly terminal: Terminal
  readonly signal: AbortSignal
}

/** Resolves to whether every request was served as expected. */
export async function runTour({ entries, lm, newPlace, terminal, signal }: TourOptions): Promise<boolean> {
  const groups = await loadGroups(entries)
  const stops = groups.map((group) => ({ ...group, requests: group.scenarios[0]?.requests ?? [] }))
  const total = stops.reduce((sum, { requests }) => sum + requests.length, 0)
  const outcomes: Outcome[] = []
  for (const { name, title, domains, requests } of stops) {
    terminal.line()
    terminal.line(terminal.paint('bold', `${title} (${name})`))
    const session = await openSession({ name, lm, domains, place: newPlace() })
    try {
      for (const request of requests) {
        terminal.line()
        const place = `[${outcomes.length + 1}/${total}]`
        terminal.line(`${terminal.paint('yellow', place)} ${oneLine(request.request, terminal.width - place.length - 1)}`)
        const onEvent = createLiveView(terminal, request.request)
        const record = await session.ask(request.request, { signal, onEvent, user: request.user })
        if (record.failure !== undefined) throw record.failure
        const passed = isServed(request, record)
        showAnswer(terminal, record)
        terminal.line(`  ${mark(terminal, passed)} ${terminal.paint('dim', duration(record.ms))}`)
        outcomes.push({ stop: name, request, record, passed })
      }
    } finally {
      await session.close()
    }
  }
  showOutcomes(terminal, outcomes)
  return outcomes.every(({ passed }) => passed)
}

function mark({ paint }: Terminal, passed: boolean): string {
  return passed ? paint('green', '✓') : paint('red', '✗')
}
