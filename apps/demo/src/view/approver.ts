/** Decides about calls that require approval: asks the user in the terminal, approves all calls, or refuses them. */
import { setImmediate } from 'node:timers/promises'
import type { Approve } from '@x/react-agent'
import { type Asking, askForYes } from './ask-for-yes.ts'
import { showLabelled } from './live-view.ts'

export interface ApproverOptions extends Asking {
  /** Approves every call. */
  readonly yes: boolean
  /** False if there is no terminal to ask in. Then every call is refused, unless `yes` is true. */
  readonly canAsk: boolean
}

export function createApprover({ yes, canAsk, ...asking }: ApproverOptions): Approve {
  if (yes) return () => true
  if (canAsk) return (call) => askForYes(call, asking)
  return async ({ name, args }) => {
    // Waiting lets the view show earlier events of the run first.
    await setImmediate()
    showLabelled(asking.terminal, 'refused', 'red', `${name} ${JSON.stringify(args)}`)
    showLabelled(asking.terminal, '', 'dim', HOW)
    return { type: 'reject', reason: 'The user could not be asked.' }
  }
}

const HOW = 'This call requires approval, and there is no terminal to ask in. To allow it, pass --yes or use a terminal.'
