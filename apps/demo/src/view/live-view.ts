/** Shows a run as it happens: thought, call, result, answer. */
import type { AgentEvent } from '@x/react-agent'
import type { RequestRecord } from '../session.ts'
import { duration, linesOf, oneLine } from './plain-text.ts'
import type { Style, Terminal } from './terminal.ts'

const LABEL_WIDTH = 9

/** Prints what an event tells; an event that tells a reader nothing prints nothing. */
export function createLiveView({ line, paint, width }: Terminal): (event: AgentEvent) => void {
  const room = width - LABEL_WIDTH - 4
  const show = (label: string, style: Style, text: string) => line(`  ${paint(style, label.padEnd(LABEL_WIDTH))}${text}`)
  // Results of calls that ran together come in any order, so they say whose they are.
  let together = false
  return (event) => {
    switch (event.type) {
      case 'turn': {
        const { text, toolCalls } = event.response
        together = toolCalls.length > 1
        // The text of a turn without calls is the answer, which is shown at the end.
        if (toolCalls.length > 0 && text.trim() !== '') show('thought', 'dim', paint('dim', oneLine(text, room)))
        break
      }
      case 'call_started': {
        const { name, args } = event.call
        show('call', 'cyan', `${paint('bold', name)} ${oneLine(JSON.stringify(args), room - name.length - 1)}`)
        break
      }
      case 'call_finished': {
        const { ok, name, text } = event.observation
        const owner = together ? `${name} ` : ''
        const time = ` (${duration(event.ms)})`
        const shown = oneLine(text, room - time.length - owner.length)
        show('result', ok ? 'cyan' : 'red', `${owner}${ok ? shown : paint('red', shown)}${paint('dim', time)}`)
        break
      }
    }
  }
}

/** Prints the answer in full, or why there is none. */
export function showAnswer({ line, paint }: Terminal, { answer, answered }: Pick<RequestRecord, 'answer' | 'answered'>): void {
  const [first = '', ...rest] = linesOf(answer)
  line(`  ${paint(answered ? 'green' : 'red', (answered ? 'answer' : 'failed').padEnd(LABEL_WIDTH))}${first}`)
  for (const text of rest) line(`${' '.repeat(LABEL_WIDTH + 2)}${text}`)
}
