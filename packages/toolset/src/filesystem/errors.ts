/** File errors for a model. Their messages contain the model's own path, and no other path of the machine. */
import { isToolError, ToolError } from '@x/tool-core'
import { quote } from './quote.ts'

/**
 * The `reason` of the `ToolError('execution_failed')` that a failed tool of a `FileSystemToolset` throws. A model reads the message, which
 * shows the path as the model wrote it.
 *
 * - `path_outside_root`: the path is absolute, escapes with `..`, or goes through a link that leads outside the root. Fix: use a path
 *   relative to the root.
 * - `symbolic_link`: the path goes through a link that stays inside the root. Links are never followed. Fix: use the path that the link
 *   leads to.
 * - `invalid_path`: the path is empty, too long, or contains characters that aren't allowed, or a name to search for contains `/`. Fix: use
 *   `/` between ordinary names.
 * - `protected`: the path is the root itself, or a file that the toolset reserves. Fix: use another path.
 * - `read_only`: the file system is mounted read-only. Fix: mount it writable, or pass `readOnly: true` to offer only
 *   the tools that read.
 * - `not_found`: the file or directory doesn't exist. Fix: list the directory to find its name.
 * - `not_a_regular_file`: a directory, device or socket where a file is needed. Fix: use a file path.
 * - `not_a_directory`: a file where a directory is needed. Fix: use a directory path.
 * - `already_exists`: the call would replace something. Fix: allow it with `mode: 'replace'` or `overwrite: true`, or use another path.
 * - `not_empty`: the directory to delete has content. Fix: pass `recursive: true` to delete the content too.
 * - `too_large`: the file or text is larger than the limit. Fix: use a smaller file, or raise `maxReadBytes`, `maxImageBytes`, `maxWriteBytes` or
 *   `maxCopyBytes`.
 * - `binary`: the file or the text isn't valid UTF-8, or contains NUL, and isn't an image. Fix: use only text files, and
 *   images in PNG, JPEG, GIF or WebP.
 * - `limit`: the call would exceed a limit. Nothing was done, unless the message says how much was deleted. Fix: split the work, or raise
 *   `maxEntries` or `maxDepth`.
 * - `not_permitted`: the operating system denied access. Fix: grant the process access.
 * - `no_space`: the disk or the quota is full. Fix: free space.
 * - `busy`: another process is using the file, or too many files are open. Fix: try again later.
 * - `failed`: the file system reported another error. Fix: see the message and `cause`.
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

/**
 * Creates the error for a call that would replace something. `areFiles` is true if a file would replace a file, which an option can allow.
 */
export function existsAlready(quotedPath: string, areFiles: boolean): ToolError {
  const advice = areFiles
    ? 'To replace a file, use mode "replace" or overwrite: true.'
    : 'Only a file can be replaced, and only by a file. Use another path.'
  return fileError('already_exists', `${quotedPath} already exists. ${advice}`)
}

/** Creates the error for a directory that is too deep to be deleted in one call. */
export function tooDeep(given: string, maxDepth: number): ToolError {
  return fileError(
    'limit',
    `${quote(given)} would have directories more than ${maxDepth} levels below the root. Nothing was done.`,
  )
}

/** Runs work on a path. Turns errors of the file system into errors that name the path as the caller passed it. */
export async function about<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (thrown) {
    throw isToolError(thrown) ? thrown : toFileError(path, thrown)
  }
}

/** Returns the code of a `node:fs` error. Undefined for any other value. */
export function codeOf(thrown: unknown): string | undefined {
  const code = thrown instanceof Error ? (thrown as NodeJS.ErrnoException).code : undefined
  return typeof code === 'string' ? code : undefined
}

function toFileError(path: string, thrown: unknown): ToolError {
  const code = codeOf(thrown)
  // A bug in this package. The call pipeline creates the message for it.
  if (code === undefined) throw thrown
  const [reason, words] = SYSTEM_ERRORS.get(code) ?? ['failed', `could not be accessed (${code})`]
  return fileError(reason, `${quote(path)} ${words}.`, thrown)
}

const SYSTEM_ERRORS = new Map<string, readonly [FileSystemReason, string]>([
  ['ENOENT', ['not_found', 'does not exist']],
  ['ENOTDIR', ['not_a_directory', 'is not a directory, or goes through something that is not a directory']],
  ['EISDIR', ['not_a_regular_file', 'is a directory, not a file']],
  ['ENXIO', ['not_a_regular_file', 'is not a regular file']],
  ['EEXIST', ['already_exists', 'already exists']],
  ['ENOTEMPTY', ['not_empty', 'is not empty']],
  ['ELOOP', ['symbolic_link', 'is a link. Links are never followed']],
  ['ENAMETOOLONG', ['invalid_path', 'is too long for the file system']],
  ['EINVAL', ['invalid_path', 'is not a valid name here']],
  ['EILSEQ', ['invalid_path', 'is not a valid name on this file system']],
  ['EACCES', ['not_permitted', 'cannot be accessed: permission denied']],
  ['EPERM', ['not_permitted', 'cannot be accessed: permission denied']],
  ['EROFS', ['read_only', 'is on a read-only file system']],
  ['ENOSPC', ['no_space', 'could not be written: no space left on the disk']],
  ['EDQUOT', ['no_space', 'could not be written: the disk quota is used up']],
  ['EFBIG', ['too_large', 'is too large for the file system']],
  ['EMFILE', ['busy', 'could not be opened: too many files are open. Try again later']],
  ['ENFILE', ['busy', 'could not be opened: too many files are open. Try again later']],
  ['EBUSY', ['busy', 'is in use. Try again later']],
  ['EAGAIN', ['busy', 'is in use. Try again later']],
  ['ETXTBSY', ['busy', 'is in use. Try again later']],
  ['EXDEV', ['failed', 'is on another volume. Copy it and delete the original instead']],
  ['EIO', ['failed', 'could not be accessed: the disk reported an error']],
])

/** Throws if the signal was aborted. The error is the caller's reason, or `aborted` if there is none. */
export function assertGoing(signal: AbortSignal): void {
  if (!signal.aborted) return
  if (isToolError(signal.reason)) throw signal.reason
  throw new ToolError('aborted', 'The call was aborted by the application.', { cause: signal.reason })
}
