/** Asks in the terminal for approval of a call. */
import { setImmediate } from 'node:timers/promises'
import type { AskedCall, Decision } from '@x/react-agent'
import type { EditedCall } from '../agent/edited-call.ts'
import { showLabelled } from './live-view.ts'
import type { Terminal } from './terminal.ts'

export interface Asking {
  readonly terminal: Terminal
  /** Reads the next line. Resolves to undefined at the end of the input. */
  read(): Promise<string | undefined>
  /** Validates edited arguments before they are used, because invalid ones would end the run. */
  findFault(call: EditedCall): Promise<string | undefined>
}

/** Asks the user until the answer and the resulting call are valid. Rejects the call at the end of the input. */
export async function askForYes(call: AskedCall, { terminal, read, findFault }: Asking): Promise<Decision> {
  // Waiting lets the view show earlier events of the run first.
  await setImmediate()
  showLabelled(terminal, 'waits', 'magenta', `${call.name} ${JSON.stringify(call.args)}`)
  for (;;) {
    showLabelled(terminal, '', 'magenta', terminal.paint('dim', HELP))
    const line = await read()
    if (line === undefined) return { type: 'reject', reason: 'The input ended before an answer.' }
    const decision = readAnswer(line, call.args)
    const fault = decision?.type === 'edit' ? await findFault({ name: call.name, args: decision.args }) : undefined
    if (fault !== undefined) showLabelled(terminal, 'refused', 'red', fault)
    else if (decision !== undefined) return decision
  }
}

const HELP = 'Answer y, n <reason>, or edit <argument>=<value>, e.g. edit amount=50'

/**
 * Parses the user's answer. Returns undefined if it is invalid. An edit changes one argument, or several as JSON, and keeps all others.
 */
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

/** Parses one argument as `name=value`, or several as JSON. Returns undefined for any other text. */
export function readChanges(text: string): object | undefined {
  const equals = text.indexOf('=')
  if (!text.startsWith('{') && equals > 0) {
    const value = text.slice(equals + 1).trim()
    // The key is computed, so that `__proto__` becomes an own property.
    return { [text.slice(0, equals).trim()]: parsed(value) ?? value }
  }
  const changes = parsed(text)
  return typeof changes === 'object' && changes !== null && !Array.isArray(changes) ? changes : undefined
}

/** Parses JSON. Returns undefined for invalid JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
