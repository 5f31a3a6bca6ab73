/** Ensures that a process has only one worker, because DBOS is a singleton. */
import type { DBOS } from '@dbos-inc/dbos-sdk'
import { DurableError } from '../errors.ts'

const claimed = new WeakSet<typeof DBOS>()

/**
 * Claims this process for a worker, and returns a function that releases the claim. Throws `invalid_options` if the process
 * already has a worker or uses DBOS in another way.
 */
export function claimProcess(dbos: typeof DBOS): () => void {
  if (claimed.has(dbos) || dbos.isInitialized()) {
    const words =
      'createDbosEngine: this process already has an engine with "fn", or has launched DBOS. A process can have only one. ' +
      'Close the existing engine or DBOS first, use another process, or omit "fn" so that other processes execute the runs.'
    throw new DurableError('invalid_options', words)
  }
  claimed.add(dbos)
  return () => {
    claimed.delete(dbos)
  }
}
