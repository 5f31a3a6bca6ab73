/** Converts a model's path to names below the root. Doesn't access any files. */
import { fileError } from './errors.ts'
import { isTemporaryName } from './jail/temporary.ts'
import { quote, UNSEEN } from './quote.ts'

/** A place below the root. */
export interface Place {
  /** The path as the caller passed it. Messages show this path. */
  readonly given: string
  /** The path to show in outputs: without `.`, `..` and doubled slashes. `.` is the root. */
  readonly path: string
  /** The names on the path, starting below the root. Empty for the root itself. */
  readonly names: readonly string[]
}

const MAX_PATH_BYTES = 4096
const MAX_NAME_BYTES = 255

/**
 * Parses a path. Throws `path_outside_root` for a path that is absolute or escapes with `..`, and `invalid_path` for a path that isn't
 * valid on this platform.
 */
export function parsePath(given: unknown, platform: NodeJS.Platform = process.platform): Place {
  if (typeof given !== 'string' || given === '') throw invalid('""', 'is not a path. Use "." for the root')
  const shown = quote(given)
  if (Buffer.byteLength(given) > MAX_PATH_BYTES) throw invalid(shown, `is longer than ${MAX_PATH_BYTES} bytes`)
  if (given.search(UNSEEN) >= 0) throw invalid(shown, 'contains an invisible character')
  if (/\p{Surrogate}/u.test(given)) throw invalid(shown, 'contains an unpaired surrogate')
  if (/^\/|^\\|^[a-z]:[\\/]/i.test(given))
    throw outside(shown, 'is absolute. Use a path relative to the root, such as "notes/a.txt"')
  if (given.includes('\\')) throw invalid(shown, 'contains a backslash. Use "/" between names')
  const names = resolveNames(given, shown)
  for (const name of names) assertName(name, shown, platform)
  return { given, path: names.join('/') || '.', names }
}

/** Resolves `..` by the text alone, which is correct because links are never followed. */
function resolveNames(given: string, shown: string): readonly string[] {
  const names: string[] = []
  for (const name of given.split('/')) {
    if (name === '' || name === '.') continue
    if (name !== '..') names.push(name)
    else if (names.pop() === undefined) throw outside(shown, 'leads outside the root')
  }
  return names
}

function assertName(name: string, shown: string, platform: NodeJS.Platform): void {
  if (Buffer.byteLength(name) > MAX_NAME_BYTES) throw invalid(shown, `contains a name longer than ${MAX_NAME_BYTES} bytes`)
  if (platform === 'win32' && isSpecialOnWindows(name))
    throw invalid(shown, 'contains a name that is reserved or changed by Windows')
  if (isTemporaryName(name)) throw fileError('protected', `${shown} is reserved for unfinished writes. Use another name.`)
}

/**
 * True for devices, streams, wildcards, and names whose ending Windows drops. On Windows, such a name refers to something other than a file
 * of that name.
 */
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
