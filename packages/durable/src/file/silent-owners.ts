/**
 * Finds runs whose worker may have died in another container. A process id has no meaning there, and a worker that is silent may only be
 * suspended, so the runs aren't taken over.
 */
import { OWNER, ownerElsewhere, type SilentOwner } from '@x/file-owner'
import { DurableError } from '../errors.ts'
import type { RunFolder } from './run-folder.ts'

/** How often a worker renews its locks, in milliseconds. */
export const RENEW_MS = 10_000
/** Time without a renewal after which an owner counts as silent, in milliseconds. */
const SILENT_MS = 60_000

/** Returns those of the runs whose owner is silent, and the problem to report. Undefined if there are none. */
export function findSilent(folder: RunFolder, ids: Iterable<string>): Silent | undefined {
  const silent: string[] = []
  let first: SilentOwner | undefined
  for (const id of ids) {
    const owner = ownerOf(folder, id)
    if (owner === undefined || owner.silentMs < SILENT_MS) continue
    first ??= owner
    silent.push(id)
  }
  return first && { ids: silent, problem: problemOf(first, silent) }
}

export interface Silent {
  readonly ids: readonly string[]
  readonly problem: DurableError
}

function ownerOf(folder: RunFolder, id: string): SilentOwner | undefined {
  try {
    return ownerElsewhere(folder.lockOf(id))
  } catch {
    // Opening the journal reports a lock that can't be read.
    return undefined
  }
}

function problemOf({ host, silentMs }: SilentOwner, ids: readonly string[]): DurableError {
  const runs = ids.length === 1 ? 'a run' : `${ids.length} runs`
  return new DurableError(
    'in_use',
    `A worker on another machine or in another container (${host}) has ${runs}, such as "${ids[0]}", and hasn't renewed its locks for ${Math.round(silentMs / 1000)} s. It may have died or may only be suspended, so its runs aren't taken over. Once you know that it is dead, delete its files "*.journal${OWNER}".`,
  )
}
