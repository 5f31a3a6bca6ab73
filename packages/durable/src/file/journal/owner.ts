/** Ownership of journal files. Converts errors to this package's errors. */
import { basename } from 'node:path'
import { type Clear, NotOwned, OWNER, type Owned, own as ownFile } from '@x/file-owner'
import { DurableError } from '../../errors.ts'

/**
 * Claims the journal for this process. Calls `onDead` if the previous owner has died. Throws `in_use` with advice in the message,
 * or `cannot_open`.
 */
export function own(file: string, onDead?: Clear): Owned {
  try {
    const { release, markBusy } = ownFile(file, onDead)
    return {
      markBusy,
      release() {
        try {
          release()
        } catch (cause) {
          throw cannotOpen(cause)
        }
      },
    }
  } catch (cause) {
    throw cause instanceof NotOwned ? inUse(file, cause) : cannotOpen(cause)
  }
}

export function cannotOpen(cause: unknown): DurableError {
  // The file system's message contains the full path, so only its code is used.
  const code = (cause as { code?: unknown } | null)?.code
  const fix = code === 'ENOENT' ? " Its folder doesn't exist. Create it first." : ''
  const words = `The journal cannot be opened (${typeof code === 'string' ? code : 'unknown'}).${fix}`
  return new DurableError('cannot_open', words, { cause })
}

function inUse(file: string, cause: NotOwned): DurableError {
  const name = basename(file)
  return new DurableError('in_use', `The journal "${name}" is in use: ${wordsOf(name, cause)}.`)
}

function wordsOf(name: string, { owner, isElsewhere, isOwn, isTakeover }: NotOwned): string {
  if (isTakeover) return 'another process is taking it over. Try again'
  if (owner === undefined) return 'another process has just opened it. Try again later'
  if (isElsewhere)
    return `a process on another machine or in another container has it open (${owner.host}). If that process is dead, delete "${name}${OWNER}"`
  return isOwn
    ? 'this process already has it open. Close that journal first'
    : `the process ${owner.pid} has it open. Close it there`
}
