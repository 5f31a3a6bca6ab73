/** One request, answered with the tools of all domains or of one. */
import { resolve } from 'node:path'
import type { LM } from '@x/adapters'
import { type DomainEntry, loadDomain } from '../domains/index.ts'
import { openSession, type RequestRecord } from '../session.ts'
import { IN_MEMORY } from '../sql/sqlite-client.ts'
import { createLiveView, showAnswer } from '../view/live-view.ts'
import { duration, oneLine } from '../view/plain-text.ts'
import type { Terminal } from '../view/terminal.ts'

export interface AskCommandOptions {
  readonly request: string
  readonly entries: readonly DomainEntry[]
  /** Path of the shop's database, or `:memory:`. */
  readonly database: string
  readonly lm: LM
  readonly terminal: Terminal
  readonly signal: AbortSignal
}

/** Resolves to whether the model got to an answer, and not past a last call that failed. */
export async function runAsk({ request, entries, database, lm, terminal, signal }: AskCommandOptions): Promise<boolean> {
  const kept: string[] = []
  const session = await openSession({
    name: entries.length === 1 ? (entries[0] as DomainEntry).name : 'all domains',
    lm,
    domains: await Promise.all(entries.map(loadDomain)),
    settings: { database, onDatabaseOpen: (place) => kept.push(place) },
  })
  let record: RequestRecord
  try {
    terminal.line()
    terminal.line(oneLine(request, terminal.width))
    record = await session.ask(request, { signal, onEvent: createLiveView(terminal, request) })
    showAnswer(terminal, record)
    terminal.line(`  ${terminal.paint('dim', duration(record.ms))}`)
  } finally {
    await session.close()
  }
  for (const place of kept) {
    terminal.line()
    terminal.line(terminal.paint('dim', `Database: ${place === IN_MEMORY ? 'in memory, gone now' : resolve(place)}`))
  }
  return record.answered && record.calls.at(-1)?.ok !== false
}
