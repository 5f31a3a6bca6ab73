/** Answers one request with the tools of all domains, or of one domain. */
import type { LM } from '@x/adapters'
import type { Elicit } from '@x/mcp'
import type { ToolSource } from '@x/tool-core'
import { openSession, type RequestRecord } from '../agent/session.ts'
import { suggestFor } from '../agent/suggestions.ts'
import type { DomainEntry } from '../domains/domain.ts'
import { loadDomain } from '../domains/load-domain.ts'
import { type DatabasePlace, describePlace, isKept } from '../sql/place.ts'
import { createElicit } from '../view/answer-question.ts'
import { createApprover } from '../view/approver.ts'
import { createLineReader, type Lines } from '../view/lines.ts'
import { createLiveView, showAnswer } from '../view/live-view.ts'
import { duration, oneLine } from '../view/plain-text.ts'
import { showSuggestions } from '../view/suggestions.ts'
import type { Terminal } from '../view/terminal.ts'

/** Options of `ask` and `chat`. */
export interface ConversationOptions {
  readonly entries: readonly DomainEntry[]
  readonly place: DatabasePlace
  readonly user: string | undefined
  readonly lm: LM
  /**
   * True if `lm` follows rules. Every call that may change something then requires approval, and suggestions follow a request that wasn't
   * served.
   */
  readonly isRules: boolean
  /** Approves every call. */
  readonly yes: boolean
  /** False if there is no terminal in which to ask the user. */
  readonly canAsk: boolean
  /** Opens the input. Called when the program is ready to read a line, because lines that are read earlier would be lost. */
  readonly openLines: () => Lines
  /** Connects to MCP servers, whose questions `elicit` answers. Default: there are no servers. */
  readonly openServers?: ((elicit: Elicit) => Promise<readonly ToolSource[]>) | undefined
  readonly terminal: Terminal
  readonly signal: AbortSignal
}

export interface AskCommandOptions extends ConversationOptions {
  readonly request: string
}

/** Answers the request. Resolves to true if the model answered and its last call succeeded. */
export async function runAsk(options: AskCommandOptions): Promise<boolean> {
  const { request, entries, place, user, lm, isRules, yes, canAsk, openLines, openServers, terminal, signal } = options
  const name = entries.length === 1 ? (entries[0] as DomainEntry).name : 'all domains'
  const domains = await Promise.all(entries.map(loadDomain))
  const reader = createLineReader(openLines)
  const asking = { yes, canAsk, terminal, read: reader.read }
  const servers = await openServers?.(createElicit(asking))
  const session = await openSession({ name, lm, domains, place, asksBeforeWrites: isRules, servers })
  const approve = createApprover({ ...asking, findFault: session.findFault })
  let record: RequestRecord
  let hasDatabase: boolean
  try {
    terminal.line()
    terminal.line(oneLine(request, terminal.width))
    record = await session.ask(request, { signal, user, approve, onEvent: createLiveView(terminal, request) })
    if (record.failure !== undefined) throw record.failure
    showAnswer(terminal, record)
    if (isRules && record.calls.length === 0) showSuggestions(terminal, suggestFor(request, entries))
    terminal.line(`  ${terminal.paint('dim', duration(record.ms))}`)
  } finally {
    hasDatabase = session.hasDatabase()
    await reader.close()
    await session.close()
  }
  if (hasDatabase) {
    terminal.line()
    terminal.line(terminal.paint('dim', `Database: ${describePlace(place)}${isKept(place) ? '' : ', not kept'}`))
  }
  return record.answered && record.calls.at(-1)?.ok !== false
}
