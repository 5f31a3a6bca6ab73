/** DBOS is one for a process: so is a worker. */
import type { DBOS } from '@dbos-inc/dbos-sdk'
import { DurableError } from '../errors.ts'

const claimed = new WeakSet<typeof DBOS>()

/** Gives what ends the claim. Throws `invalid_options` when this process is a worker already, or uses DBOS in another way. */
export function claimProcess(dbos: typeof DBOS): () => void {
  if (claimed.has(dbos) || dbos.isInitialized()) {
    const words =
      'createDbosEngine: this process executes runs of another engine, or has launched DBOS, of which a process has only one. ' +
      'Close that first, start another process, or leave "fn" out: then other processes execute.'
    throw new DurableError('invalid_options', words)
  }
  claimed.add(dbos)
  return () => {
    claimed.delete(dbos)
  }
}
