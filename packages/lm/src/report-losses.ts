/** Reports each loss to `onLoss` once, because every request of a conversation has the losses of the requests before it. */
import type { LMRequest, Loss } from '@x/adapters'

type OnLoss = (loss: Loss) => void

/**
 * Returns a function that takes a request and returns the function to report its losses. A loss in a message counts as new for each
 * message object, at any position. If `onLoss` throws, the loss counts as not reported.
 */
export function createLossReports(onLoss: OnLoss = () => {}): (request: LMRequest) => OnLoss {
  const ofRequests = new Set<string>()
  const ofMessages = new WeakMap<object, Set<string>>()
  return ({ messages }) =>
    (loss) => {
      const [, index, rest = loss.path] = /^\/messages\/(\d+)(.*)/.exec(loss.path) ?? []
      const message = messages[Number(index)]
      const known = (message && ofMessages.get(message)) ?? (message ? new Set<string>() : ofRequests)
      const key = JSON.stringify({ ...loss, path: rest })
      if (known.has(key)) return
      onLoss(loss)
      if (known.size >= MAX_KNOWN) known.clear()
      known.add(key)
      if (message) ofMessages.set(message, known)
    }
}

/** Maximum number of losses to remember. The names of tools and values in notes can be different in every request. */
const MAX_KNOWN = 1_000
