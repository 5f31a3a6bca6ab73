/** The owner of a journal: its failures as errors of this package. */
import { basename } from 'node:path'
import { NotOwned, OWNER, own as ownFile } from '@x/file-owner'
import { DurableError } from '../../errors.ts'

/** Takes the journal for this process. Throws `in_use` with the way out, or `cannot_open`. */
export function own(file: string): { release(): void } {
  try {
    const { release } = ownFile(file)
    return {
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
  // The message of the file system names the whole path.
  const code = (cause as { code?: unknown } | null)?.code
  const fix = code === 'ENOENT' ? ' Its folder is not there: make that first.' : ''
  const words = `The journal cannot be opened (${typeof code === 'string' ? code : 'unknown'}).${fix}`
  return new DurableError('cannot_open', words, { cause })
}

function inUse(file: string, cause: NotOwned): DurableError {
  const name = basename(file)
  return new DurableError('in_use', `The journal "${name}" is in use: ${wordsOf(name, cause)}.`)
}

function wordsOf(name: string, { owner, isElsewhere, isOwn, isTakeover }: NotOwned): string {
  if (isTakeover) return 'another process is just taking it over. Try again'
  if (owner === undefined) return 'another process has just opened it'
  if (isElsewhere)
    return `a process of another machine or container has it (${owner.host}). If that is gone, remove "${name}${OWNER}"`
  return `${isOwn ? 'this process has it open already' : `the process ${owner.pid} has it open`}. Close it there`
}
