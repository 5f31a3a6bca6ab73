/** Holds a conversation until the input ends. Each request includes the earlier ones. */
import type { Trajectory } from '@x/react-agent'
import { ownWordOf } from '../agent/own-words.ts'
import { openSession } from '../agent/session.ts'
import { suggestFor } from '../agent/suggestions.ts'
import { loadDomain } from '../domains/load-domain.ts'
import { describePlace } from '../sql/place.ts'
import { createElicit } from '../view/answer-question.ts'
import { createApprover } from '../view/approver.ts'
import { createLineReader } from '../view/lines.ts'
import { createLiveView, showAnswer } from '../view/live-view.ts'
import { showAbilities, showSuggestions } from '../view/suggestions.ts'
import type { ConversationOptions } from './ask.ts'

/** Holds the conversation until the input ends or the user enters `/exit`. Resolves to true if the model never failed. */
export async function runChat(options: ConversationOptions): Promise<boolean> {
  const { entries, place, user, lm, isRules, yes, canAsk, openLines, openServers, terminal, signal } = options
  const domains = await Promise.all(entries.map(loadDomain))
  // Not a for-await loop over lines, because a request for approval also reads a line.
  const reader = createLineReader(openLines)
  const asking = { yes, canAsk, terminal, read: reader.read }
  const servers = await openServers?.(createElicit(asking))
  const session = await openSession({ name: 'chat', lm, domains, place, asksBeforeWrites: isRules, servers })
  try {
    const hint = () =>
      terminal.line(
        terminal.paint('dim', '/help shows what you can ask, /new starts a new conversation, /exit ends the program.'),
      )
    hint()
    let history: Trajectory | undefined
    let neverFailed = true
    const approve = createApprover({ ...asking, findFault: session.findFault })
    try {
      for (let line = await reader.read(); line !== undefined; line = await reader.read()) {
        const request = line.trim()
        const word = ownWordOf(request)
        if (word === 'exit') break
        if (word === 'help') showAbilities(terminal, entries)
        else if (request === '/new') history = undefined
        else if (request.startsWith('/')) hint()
        else if (request !== '') {
          const onEvent = createLiveView(terminal, request)
          const record = await session.ask(request, { user, history, signal, approve, onEvent })
          showAnswer(terminal, record)
          if (isRules && record.answered && record.calls.length === 0) showSuggestions(terminal, suggestFor(request, entries))
          // After a failure of the model, the next request still includes the calls that were made.
          history = record.trajectory ?? history
          neverFailed &&= record.failure === undefined
        }
      }
    } finally {
      await reader.close()
    }
    return neverFailed
  } finally {
    const wasOpen = session.hasDatabase()
    await session.close()
    if (wasOpen) terminal.line(terminal.paint('dim', `Database: ${describePlace(place)}`))
  }
}
