/** Shows a run live: thought, call, result, answer. */
import type { AgentEvent } from '@x/react-agent'
import type { RequestRecord } from '../agent/session.ts'
import { duration, oneLine, wrap } from './plain-text.ts'
import type { Style, Terminal } from './terminal.ts'

const LABEL_WIDTH = 9
const INDENT = LABEL_WIDTH + 2
/** Room for ` (999 ms)`, so that the time of a call doesn't change where its result is cut. */
const TIME_WIDTH = 9

/** Returns a function that prints a run's events, except those that aren't useful to a reader. */
export function createLiveView({ line, paint, width }: Terminal, request: string): (event: AgentEvent) => void {
  const room = width - INDENT - 2
  const show = (label: string, style: Style, text: string) => line(`  ${paint(style, label.padEnd(LABEL_WIDTH))}${text}`)
  // Results of parallel calls arrive in any order, so they are printed with the tool's name.
  let together = false
  return (event) => {
    switch (event.type) {
      case 'assistant_message': {
        const { text, toolCalls } = event.response
        together = toolCalls.length > 1
        // The text of a turn without calls is the answer, which is shown at the end.
        if (toolCalls.length > 0 && saysMore(text, request)) show('thought', 'dim', paint('dim', oneLine(text, room)))
        break
      }
      case 'call_started': {
        const { name, args } = event.call
        const shown = oneLine(`${name} ${JSON.stringify(args)}`, room)
        show('call', 'bold', `${paint('bold', shown.slice(0, name.length))}${shown.slice(name.length)}`)
        break
      }
      case 'call_finished': {
        const { ok, name, text } = event.observation
        const time = ` (${duration(event.ms)})`
        const shown = oneLine(together ? `${name} ${text}` : text, room - TIME_WIDTH)
        show('result', ok ? 'bold' : 'red', `${ok ? shown : paint('red', shown)}${paint('dim', time)}`)
        break
      }
    }
  }
}

/** Prints the answer in full, or the error message if there is no answer. */
export function showAnswer(terminal: Terminal, { answer, answered }: Pick<RequestRecord, 'answer' | 'answered'>): void {
  showLabelled(terminal, answered ? 'answer' : 'failed', answered ? 'green' : 'red', answer)
}

/** Prints a string in full with a label. */
export function showLabelled({ line, paint, width }: Terminal, label: string, style: Style, text: string): void {
  const [first = '', ...rest] = wrap(text, width - INDENT)
  line(`  ${paint(style, label.padEnd(LABEL_WIDTH))}${first}`)
  for (const more of rest) line(`${' '.repeat(INDENT)}${more}`)
}

/** Returns false for a thought that only repeats the request with a few words added. */
function saysMore(thought: string, request: string): boolean {
  if (!thought.includes(request)) return thought.trim() !== ''
  return (thought.replace(request, '').match(/\S+/g) ?? []).length > FEW_WORDS
}

const FEW_WORDS = 8
