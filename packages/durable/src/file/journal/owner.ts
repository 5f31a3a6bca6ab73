/** Ownership of journal files. Converts errors to this package's errors. */
import { basename } from 'node:path'
import { type Clear, NotOwned, OWNER, type Owned, own as ownFile } from '@x/file-owner'
import { DurableError } from '../../errors.ts'
import { codeOf, failed } from './file-errors.ts'

/**
 * Claims the journal for this process. Calls `onDead` if the previous owner has died. Throws `in_use` with advice in the message,
 * `cannot_open`, or `write_failed`.
 */
export function own(file: string, onDead?: Clear): Owned {
  try {
    const { release, markBusy } = ownFile(file, onDead)
    return { markBusy: () => converted(markBusy), release: () => converted(release) }
  } catch (cause) {
    throw cause instanceof NotOwned ? inUse(file, cause) : cannotOpen(cause)
  }
}

function converted(work: () => void): void {
  try {
    work()
  } catch (cause) {
    throw cannotOpen(cause)
  }
}

export function cannotOpen(cause: unknown): DurableError {
  const isMissing = codeOf(cause) === 'ENOENT'
  return failed('The journal cannot be opened', cause, isMissing ? " Its folder doesn't exist. Create it first." : '')
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
