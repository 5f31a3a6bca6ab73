/** The tour: the first requests of every domain, runs that pause, end early or resume, and other features of the packages. */
import type { LM } from '@x/adapters'
import { openSession } from '../agent/session.ts'
import type { DomainEntry } from '../domains/domain.ts'
import { loadGroups } from '../evaluation/groups.ts'
import { isServed } from '../evaluation/judge.ts'
import { playExample } from '../example-runs/play-example.ts'
import type { KilledProgram, RunExample } from '../example-runs/run-example.ts'
import type { Feature } from '../features/feature.ts'
import { playFeatures } from '../features/play-features.ts'
import type { DatabasePlace } from '../sql/place.ts'
import { createLiveView, showAnswer, showLabelled } from '../view/live-view.ts'
import { type Outcome, showOutcomes } from '../view/outcomes.ts'
import { duration, wrap } from '../view/plain-text.ts'
import type { Terminal } from '../view/terminal.ts'

export interface TourOptions {
  readonly entries: readonly DomainEntry[]
  readonly lm: LM
  /** A new and empty database for each domain. */
  readonly newPlace: () => DatabasePlace
  readonly program: KilledProgram
  readonly terminal: Terminal
  readonly signal: AbortSignal
}

/** Plays the tour. Resolves to true if every request was served as expected. */
export async function runTour({ entries, lm, newPlace, program, terminal, signal }: TourOptions): Promise<boolean> {
  const groups = await loadGroups(entries)
  const stops = groups.map((group) => ({ ...group, requests: group.scenarios[0]?.requests ?? [] }))
  const examples = await loadExamples(entries)
  const total = stops.reduce((sum, { requests }) => sum + requests.length, examples.length)
  const outcomes: Outcome[] = []
  const announce = (request: string) => {
    terminal.line()
    const place = `[${outcomes.length + 1}/${total}]`
    const [first = '', ...rest] = wrap(request, terminal.width - place.length - 1)
    terminal.line(`${terminal.paint('magenta', place)} ${first}`)
    for (const text of rest) terminal.line(`${' '.repeat(place.length)} ${text}`)
  }
  for (const { name, title, domains, requests } of stops) {
    terminal.line()
    terminal.line(terminal.paint('bold', `${title} (${name})`))
    const session = await openSession({ name, lm, domains, place: newPlace() })
    try {
      for (const request of requests) {
        announce(request.request)
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
  for (const example of examples) {
    terminal.line()
    for (const text of wrap(example.title, terminal.width)) terminal.line(terminal.paint('bold', text))
    announce(example.request.request)
    const { record, problems } = await playExample(example, { lm, terminal, signal, program })
    for (const problem of problems) showLabelled(terminal, 'wrong', 'red', problem)
    const passed = problems.length === 0
    terminal.line(`  ${mark(terminal, passed)} ${terminal.paint('dim', duration(record.ms))}`)
    outcomes.push({ stop: example.name, request: example.request, record, passed })
  }
  const features = await loadFeatures(entries)
  const worked = await playFeatures(features, { lm, entries, terminal, signal })
  if (features.length > 0) {
    terminal.line()
    const isWell = worked === features.length
    terminal.line(terminal.paint(isWell ? 'green' : 'red', `${worked} of ${features.length} features worked`))
  }
  if (features.length > 0) showMore(terminal)
  showOutcomes(terminal, outcomes)
  return outcomes.every(({ passed }) => passed) && worked === features.length
}

/** Prints the commands for features that the tour doesn't play, with the packages that provide them. */
function showMore(terminal: Terminal): void {
  terminal.line()
  terminal.line(terminal.paint('bold', 'More to try'))
  for (const [what, command] of MORE) {
    terminal.line(`  ${what}`)
    terminal.line(`    ${terminal.paint('dim', command)}`)
  }
}

/** The commands fit into 80 columns, so that they aren't wrapped. */
const MORE = [
  [
    'A durable run, which survives its process (@x/durable)',
    'npm run demo -- ask "Move 5 dollars from savings to checking" --durable file',
  ],
  ['Thousands of tools behind a search (@x/registry)', 'npm run demo -- search "Find a shelter near the specified address"'],
  ['These tools as a server for your MCP clients (@x/mcp)', 'npm run -s demo -- serve-mcp'],
  ['The servers of your MCP clients (@x/mcp)', 'npm run demo -- chat --mcp mcp.json'],
  ['A language model instead of the rules (@x/adapters)', 'npm run demo -- chat --lm openai:gpt-5-mini'],
] as const

/** Imports the features only if the tour includes all domains. */
async function loadFeatures(entries: readonly DomainEntry[]): Promise<readonly Feature[]> {
  return entries.length < 2 ? [] : (await import('../features/index.ts')).FEATURES
}

/** Imports the examples only if the tour includes the bank, which they use. */
async function loadExamples(entries: readonly DomainEntry[]): Promise<readonly RunExample[]> {
  if (!entries.some(({ name }) => name === 'finance')) return []
  return (await import('../example-runs/run-examples.ts')).RUN_EXAMPLES
}

function mark({ paint }: Terminal, passed: boolean): string {
  return passed ? paint('green', '✓') : paint('red', '✗')
}
