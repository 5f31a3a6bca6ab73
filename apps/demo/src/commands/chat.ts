/** Holds a conversation until the input ends. Each request sees the earlier ones. */
import type { LM } from '@x/adapters'
import type { Approve, Trajectory } from '@x/react-agent'
import { findFaultOfEdit } from '../agent/edited-call.ts'
import { openSession } from '../agent/session.ts'
import type { DomainEntry } from '../domains/domain.ts'
import { loadDomain } from '../domains/load-domain.ts'
import { type DatabasePlace, describePlace } from '../sql/place.ts'
import { askForYes } from '../view/ask-for-yes.ts'
import type { Lines } from '../view/lines.ts'
import { createLiveView, showAnswer } from '../view/live-view.ts'
import type { Terminal } from '../view/terminal.ts'

export interface ChatOptions {
  readonly entries: readonly DomainEntry[]
  readonly place: DatabasePlace
  readonly user: string | undefined
  readonly lm: LM
  readonly terminal: Terminal
  /** Called when the program is ready to answer the first line. Lines that are read earlier would be lost. */
  readonly openLines: () => Lines
  readonly signal: AbortSignal
}

/** Resolves when the input ends or the user enters `/exit`. Resolves to true if the model never failed. */
export async function runChat({ entries, place, user, lm, terminal, openLines, signal }: ChatOptions): Promise<boolean> {
  const domains = await Promise.all(entries.map(loadDomain))
  const session = await openSession({ name: 'chat', lm, domains, place })
  try {
    const help = () => terminal.line(terminal.paint('dim', '/new starts a new conversation, /exit ends the program.'))
    help()
    let history: Trajectory | undefined
    let neverFailed = true
    const { lines, prompt } = openLines()
    // Not a for-await loop, because a request for approval also reads a line.
    const reader = lines[Symbol.asyncIterator]()
    const read = async () => {
      prompt()
      const { done, value } = await reader.next()
      return done ? undefined : value
    }
    const approve: Approve = (call) =>
      askForYes(call, { terminal, read, findFault: (edited) => findFaultOfEdit(domains, edited) })
    try {
      for (let line = await read(); line !== undefined; line = await read()) {
        const request = line.trim()
        if (request === '/exit') break
        if (request === '/new') history = undefined
        else if (request.startsWith('/')) help()
        else if (request !== '') {
          const record = await session.ask(request, {
            user,
            history,
            signal,
            approve,
            onEvent: createLiveView(terminal, request),
          })
          showAnswer(terminal, record)
          // After a failure of the model, the next request still sees the calls that were made.
          history = record.trajectory ?? history
          neverFailed &&= record.failure === undefined
        }
      }
    } finally {
      // Releases the input.
      await reader.return?.()
    }
    return neverFailed
  } finally {
    const wasOpen = session.hasDatabase()
    await session.close()
    if (wasOpen) terminal.line(terminal.paint('dim', `Database: ${describePlace(place)}`))
  }
}
