/** Reads a path that a model wrote: names from the root downwards, or a typed error. Touches no file. */
import { fileError } from './errors.ts'
import { quote, UNSEEN } from './quote.ts'
import { isTemporaryName } from './temporary.ts'

/** A place below the root. */
export interface Place {
  /** As the caller wrote it, for messages. */
  readonly given: string
  /** As outputs show it: without `.`, `..` and doubled slashes; `.` is the root. */
  readonly path: string
  /** The names on the way from the root; empty for the root itself. */
  readonly names: readonly string[]
}

const MAX_PATH_BYTES = 4096
const MAX_NAME_BYTES = 255

/** Throws `path_outside_root` for what is absolute or leaves by `..`, `invalid_path` for what is no path here. */
export function parsePath(given: unknown, platform: NodeJS.Platform = process.platform): Place {
  if (typeof given !== 'string' || given === '') throw invalid('""', 'is no path; "." is the root')
  const shown = quote(given)
  if (Buffer.byteLength(given) > MAX_PATH_BYTES) throw invalid(shown, `is longer than ${MAX_PATH_BYTES} bytes`)
  if (given.search(UNSEEN) >= 0) throw invalid(shown, 'has a character that cannot be seen')
  if (/\p{Surrogate}/u.test(given)) throw invalid(shown, 'has half a character')
  if (/^\/|^\\|^[a-z]:[\\/]/i.test(given))
    throw outside(shown, 'is absolute. Paths here are relative to the root, such as "notes/a.txt"')
  if (given.includes('\\')) throw invalid(shown, 'has a backslash; write "/" between names')
  const names = resolveNames(given, shown)
  for (const name of names) assertName(name, shown, platform)
  return { given, path: names.join('/') || '.', names }
}

/** Up and down in the text alone: no link is ever followed, so that is where the path leads. */
function resolveNames(given: string, shown: string): readonly string[] {
  const names: string[] = []
  for (const name of given.split('/')) {
    if (name === '' || name === '.') continue
    if (name !== '..') names.push(name)
    else if (names.pop() === undefined) throw outside(shown, 'leaves the root')
  }
  return names
}

function assertName(name: string, shown: string, platform: NodeJS.Platform): void {
  if (Buffer.byteLength(name) > MAX_NAME_BYTES) throw invalid(shown, `has a name longer than ${MAX_NAME_BYTES} bytes`)
  if (platform === 'win32' && isSpecialOnWindows(name)) throw invalid(shown, 'has a name that Windows reads as something else')
  if (isTemporaryName(name)) throw fileError('protected', `${shown} is the name of an unfinished write.`)
}

/** Devices, streams, wildcards, and names that lose their end: none of them is the file that they seem to name. */
function isSpecialOnWindows(name: string): boolean {
  if (/[<>:"|?*]|[. ]$/.test(name)) return true
  const stem = name.slice(0, name.includes('.') ? name.indexOf('.') : name.length).trimEnd()
  return /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])$/i.test(stem)
}

function invalid(shown: string, words: string): Error {
  return fileError('invalid_path', `Path ${shown} ${words}.`)
}

function outside(shown: string, words: string): Error {
  return fileError('path_outside_root', `Path ${shown} ${words}.`)
}
