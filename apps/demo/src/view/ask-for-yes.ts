/** Asks in the terminal about a call that needs a yes. */
import { setImmediate } from 'node:timers/promises'
import type { AskedCall, Decision } from '@x/react-agent'
import type { EditedCall } from '../agent/edited-call.ts'
import { showLabelled } from './live-view.ts'
import type { Terminal } from './terminal.ts'

export interface Asking {
  readonly terminal: Terminal
  /** The next line; undefined when the input has ended. */
  read(): Promise<string | undefined>
  /** Says what is wrong with a call to other arguments: the run would end with it. */
  findFault(call: EditedCall): Promise<string | undefined>
}

/** Asks until the answer can be read and the call can be made; where the input has ended it is a no. */
export async function askForYes(call: AskedCall, { terminal, read, findFault }: Asking): Promise<Decision> {
  // What the run told before this call is shown first.
  await setImmediate()
  showLabelled(terminal, 'waits', 'yellow', `${call.name} ${JSON.stringify(call.args)}`)
  for (;;) {
    showLabelled(terminal, '', 'yellow', terminal.paint('dim', HELP))
    const line = await read()
    if (line === undefined) return { type: 'reject', reason: 'Nobody was there to say yes.' }
    const decision = readAnswer(line, call.args)
    const fault = decision?.type === 'edit' ? await findFault({ name: call.name, args: decision.args }) : undefined
    if (fault !== undefined) showLabelled(terminal, 'refused', 'red', fault)
    else if (decision !== undefined) return decision
  }
}

const HELP = 'Answer y, n <reason>, or edit <argument>=<value>, e.g. edit amount=50'

/** Undefined for an answer that is none. An edit names one argument, or some as JSON; the others stay, and all are checked again. */
export function readAnswer(line: string, args: AskedCall['args']): Decision | undefined {
  const [, word = '', rest = ''] = /^\s*(\S*)\s*(.*?)\s*$/s.exec(line) ?? []
  switch (word.toLowerCase()) {
    case 'y':
    case 'yes':
      return rest === '' ? { type: 'approve' } : undefined
    case 'n':
    case 'no':
      return { type: 'reject', reason: rest === '' ? undefined : rest }
    case 'e':
    case 'edit': {
      const changes = readChanges(rest)
      return changes && { type: 'edit', args: { ...args, ...changes } }
    }
    default:
      return undefined
  }
}

/** One argument as `name=value`, or some as JSON; undefined for what is neither. */
export function readChanges(text: string): object | undefined {
  const equals = text.indexOf('=')
  if (!text.startsWith('{') && equals > 0) {
    const value = text.slice(equals + 1).trim()
    // Computed, so that any name is one of its own.
    return { [text.slice(0, equals).trim()]: parsed(value) ?? value }
  }
  const changes = parsed(text)
  return typeof changes === 'object' && changes !== null && !Array.isArray(changes) ? changes : undefined
}

/** Undefined for what is no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
