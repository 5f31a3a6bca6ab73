/** Answers the questions of MCP servers: asks the user in the terminal, accepts questions that need no values, or declines. */
import { setImmediate } from 'node:timers/promises'
import type { Elicit, McpQuestion } from '@x/mcp'
import type { ApproverOptions } from './approver.ts'
import { readChanges } from './ask-for-yes.ts'
import { showLabelled } from './live-view.ts'

export function createElicit({ yes, canAsk, terminal, read }: Omit<ApproverOptions, 'findFault'>): Elicit {
  return async (question) => {
    // Lets the view show earlier events of the run first.
    await setImmediate()
    showLabelled(terminal, 'asks', 'magenta', describe(question))
    const fields = fieldsOf(question)
    if (yes && question.mode === 'form' && fields.length === 0) return { action: 'accept' }
    if (!canAsk) {
      showLabelled(terminal, 'declined', 'red', 'There is no terminal to ask in.')
      return { action: 'decline' }
    }
    for (;;) {
      const help = fields.length === 0 ? 'Answer y or n' : `Answer n, or <name>=<value>, or JSON. Names: ${fields.join(', ')}`
      showLabelled(terminal, '', 'magenta', terminal.paint('dim', help))
      const line = (await read())?.trim()
      if (line === undefined || /^no?$/i.test(line)) return { action: 'decline' }
      if (fields.length === 0 && /^y(?:es)?$/i.test(line)) return { action: 'accept' }
      const content = fields.length === 0 ? undefined : readChanges(line)
      if (content !== undefined) return { action: 'accept', content: content as Record<string, unknown> }
    }
  }
}

function describe(question: McpQuestion): string {
  const page = question.mode === 'url' ? ` Open this page on ${question.host} yourself, then answer: ${question.url}` : ''
  return `${question.server}: ${question.message}${page}`
}

function fieldsOf(question: McpQuestion): readonly string[] {
  const { properties } = (question.mode === 'form' ? question.schema : {}) as { readonly properties?: object }
  return Object.keys(properties ?? {})
}
