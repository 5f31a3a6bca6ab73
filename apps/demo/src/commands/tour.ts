/** The tour: the requests of every domain, shown live, and a table of how they went. */
import type { LM } from '@x/adapters'
import type { DemoRequest, Domain } from '../domains/domain.ts'
import { type DomainEntry, loadDomain } from '../domains/index.ts'
import { isServed } from '../judge.ts'
import { openSession } from '../session.ts'
import { createLiveView, showAnswer } from '../view/live-view.ts'
import { type Outcome, showOutcomes } from '../view/outcomes.ts'
import { duration, oneLine } from '../view/plain-text.ts'
import type { Terminal } from '../view/terminal.ts'

export interface TourOptions {
  readonly entries: readonly DomainEntry[]
  readonly lm: LM
  readonly terminal: Terminal
  readonly signal: AbortSignal
}

interface Stop {
  readonly name: string
  readonly title: string
  readonly domains: readonly Domain[]
  readonly requests: readonly DemoRequest[]
}

/** Resolves to whether every request was served as expected. */
export async function runTour({ entries, lm, terminal, signal }: TourOptions): Promise<boolean> {
  const stops = await planStops(entries)
  const total = stops.reduce((sum, { requests }) => sum + requests.length, 0)
  const outcomes: Outcome[] = []
  for (const { name, title, domains, requests } of stops) {
    terminal.line()
    terminal.line(terminal.paint('bold', `${title} (${name})`))
    const session = await openSession({ name, lm, domains, settings: { database: ':memory:' } })
    try {
      for (const request of requests) {
        terminal.line()
        const place = `[${outcomes.length + 1}/${total}]`
        terminal.line(`${terminal.paint('yellow', place)} ${oneLine(request.request, terminal.width - place.length - 1)}`)
        const record = await session.ask(request.request, { signal, onEvent: createLiveView(terminal, request.request) })
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

/** Each domain alone; with more than one, at the end a request that none of all their tools serves. */
async function planStops(entries: readonly DomainEntry[]): Promise<readonly Stop[]> {
  const stops = await Promise.all(
    entries.map(async (entry): Promise<Stop> => {
      const domain = await loadDomain(entry)
      return { name: entry.name, title: entry.title, domains: [domain], requests: domain.requests }
    }),
  )
  if (stops.length < 2) return stops
  const domains = stops.flatMap((stop) => stop.domains)
  return [...stops, { name: 'all', title: 'A request that no tool serves', domains, requests: [UNSERVED] }]
}

const UNSERVED: DemoRequest = { request: 'What will the weather be in Paris tomorrow?', expected: [] }

function mark({ paint }: Terminal, passed: boolean): string {
  return passed ? paint('green', '✓') : paint('red', '✗')
}
