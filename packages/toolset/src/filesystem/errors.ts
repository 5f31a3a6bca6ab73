/** What may go wrong with a file, in words for a model: its own path, never a path of the machine. */
import { isToolError, ToolError } from '@x/tool-core'
import { quote } from './quote.ts'

/**
 * The `reason` of the `ToolError('execution_failed')` that every tool of a `FileSystemToolset` fails with.
 * - `path_outside_root`: absolute, leaves by `..`, or goes through a link that leads out of the root.
 * - `symbolic_link`: goes through a link that stays inside; links are never followed.
 * - `invalid_path`: empty, too long, or with characters that no path may have here.
 * - `protected`: the root itself, or a file of the toolset's own.
 * - `limit`: more than one call may do; nothing was done.
 * - `failed`: the file system refused for a reason without a name of its own.
 */
export type FileSystemReason =
  | 'path_outside_root'
  | 'symbolic_link'
  | 'invalid_path'
  | 'protected'
  | 'read_only'
  | 'not_found'
  | 'not_a_regular_file'
  | 'not_a_directory'
  | 'already_exists'
  | 'not_empty'
  | 'too_large'
  | 'binary'
  | 'limit'
  | 'not_permitted'
  | 'no_space'
  | 'busy'
  | 'failed'

export function fileError(reason: FileSystemReason, message: string, cause?: unknown): ToolError {
  return new ToolError('execution_failed', message, { reason, cause, retryable: reason === 'busy' })
}

/** For what would be replaced by a call that does not ask for it. */
export function existsAlready(quotedPath: string): ToolError {
  return fileError('already_exists', `${quotedPath} exists already, and is replaced only by mode "replace" or overwrite true.`)
}

/** Deeper directories could not be deleted by one call. */
export function tooDeep(given: string, maxDepth: number): ToolError {
  return fileError(
    'limit',
    `${quote(given)} would have directories deeper than ${maxDepth} levels below the root; nothing was done.`,
  )
}

/** Runs a piece of work on the path that the caller gave: what the file system throws is told about that path. */
export async function about<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (thrown) {
    throw isToolError(thrown) ? thrown : toFileError(path, thrown)
  }
}

/** The code of an error of `node:fs`, or `undefined`. */
export function codeOf(thrown: unknown): string | undefined {
  const code = thrown instanceof Error ? (thrown as NodeJS.ErrnoException).code : undefined
  return typeof code === 'string' ? code : undefined
}

function toFileError(path: string, thrown: unknown): ToolError {
  const code = codeOf(thrown)
  // A fault of our own code: told as it is, by the words that the pipeline has for it.
  if (code === undefined) throw thrown
  const [reason, words] = SYSTEM_ERRORS.get(code) ?? ['failed', `could not be used (${code})`]
  return fileError(reason, `${quote(path)} ${words}.`, thrown)
}

const SYSTEM_ERRORS = new Map<string, readonly [FileSystemReason, string]>([
  ['ENOENT', ['not_found', 'does not exist']],
  ['ENOTDIR', ['not_a_directory', 'is not a directory, or goes through something that is none']],
  ['EISDIR', ['not_a_regular_file', 'is a directory, not a file']],
  ['ENXIO', ['not_a_regular_file', 'is not a regular file']],
  ['EEXIST', ['already_exists', 'exists already']],
  ['ENOTEMPTY', ['not_empty', 'is not empty']],
  ['ELOOP', ['symbolic_link', 'is a link, and links are never followed']],
  ['ENAMETOOLONG', ['invalid_path', 'is too long for the file system']],
  ['EINVAL', ['invalid_path', 'is not a name that the file system takes here']],
  ['EILSEQ', ['invalid_path', 'is not a name that the file system takes']],
  ['EACCES', ['not_permitted', 'may not be used so: permission denied']],
  ['EPERM', ['not_permitted', 'may not be used so: permission denied']],
  ['EROFS', ['read_only', 'lies on a file system that cannot be written to']],
  ['ENOSPC', ['no_space', 'could not be written: no space is left']],
  ['EDQUOT', ['no_space', 'could not be written: the quota is used up']],
  ['EFBIG', ['too_large', 'is too large for the file system']],
  ['EMFILE', ['busy', 'could not be opened: too many files are open; try again later']],
  ['ENFILE', ['busy', 'could not be opened: too many files are open; try again later']],
  ['EBUSY', ['busy', 'is in use; try again later']],
  ['EAGAIN', ['busy', 'is in use; try again later']],
  ['ETXTBSY', ['busy', 'is in use; try again later']],
  ['EXDEV', ['failed', 'lies on another volume: copy it and delete the original instead']],
  ['EIO', ['failed', 'could not be used: the disk reported an error']],
])

/** Throws what the caller gave as the reason, or `aborted`. */
export function assertGoing(signal: AbortSignal): void {
  if (!signal.aborted) return
  if (isToolError(signal.reason)) throw signal.reason
  throw new ToolError('aborted', 'The call was aborted by the caller.', { cause: signal.reason })
}
