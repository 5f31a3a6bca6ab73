/** Answers one request with the tools of all domains, or of one domain. */
import type { LM } from '@x/adapters'
import { openSession, type RequestRecord } from '../agent/session.ts'
import type { DomainEntry } from '../domains/domain.ts'
import { loadDomain } from '../domains/load-domain.ts'
import { type DatabasePlace, describePlace, isKept } from '../sql/place.ts'
import { createLiveView, showAnswer } from '../view/live-view.ts'
import { duration, oneLine } from '../view/plain-text.ts'
import type { Terminal } from '../view/terminal.ts'

export interface AskCommandOptions {
  readonly request: string
  readonly entries: readonly DomainEntry[]
  readonly place: DatabasePlace
  readonly user: string | undefined
  readonly lm: LM
  readonly terminal: Terminal
  readonly signal: AbortSignal
}

/** Resolves to true if the model answered and its last call succeeded. */
export async function runAsk({ request, entries, place, user, lm, terminal, signal }: AskCommandOptions): Promise<boolean> {
  const name = entries.length === 1 ? (entries[0] as DomainEntry).name : 'all domains'
  const session = await openSession({ name, lm, domains: await Promise.all(entries.map(loadDomain)), place })
  let record: RequestRecord
  let hasDatabase: boolean
  try {
    terminal.line()
    terminal.line(oneLine(request, terminal.width))
    record = await session.ask(request, { signal, user, onEvent: createLiveView(terminal, request) })
    if (record.failure !== undefined) throw record.failure
    showAnswer(terminal, record)
    terminal.line(`  ${terminal.paint('dim', duration(record.ms))}`)
  } finally {
    hasDatabase = session.hasDatabase()
    await session.close()
  }
  if (hasDatabase) {
    terminal.line()
    terminal.line(terminal.paint('dim', `Database: ${describePlace(place)}${isKept(place) ? '' : ', not kept'}`))
  }
  return record.answered && record.calls.at(-1)?.ok !== false
}
