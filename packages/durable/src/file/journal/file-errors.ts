/** Errors of files. */
import { DurableError } from '../../errors.ts'

/** The disk, the user's quota, or the maximum size of a file is used up. */
const FULL: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

/**
 * Returns the error for a failed file operation: `write_failed` if the disk is full, otherwise `cannot_open`. Omits the file system's message,
 * because it contains the full path.
 */
export function failed(words: string, cause: unknown, fix = ''): DurableError {
  const code = codeOf(cause)
  const what = `${words} (${typeof code === 'string' ? code : 'unknown'}).`
  if (FULL.has(code)) return new DurableError('write_failed', `${what} Free disk space.`, { cause })
  return new DurableError('cannot_open', `${what}${fix}`, { cause })
}

export function codeOf(cause: unknown): unknown {
  return (cause as { readonly code?: unknown } | null)?.code
}

const DAMAGED: ReadonlySet<unknown> = new Set(['broken', 'not_a_journal', 'unsupported_version'])

/** Returns true if a journal can't be read until the file changes. */
export function isDamaged(cause: unknown): boolean {
  return cause instanceof DurableError && DAMAGED.has(cause.code)
}
