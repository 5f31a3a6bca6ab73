/** Searches for a string in the names or the contents of files. */
import { isToolError } from '@x/tool-core'
import { about, fileError } from '../errors.ts'
import { type ReadLimits, readWhole, withFile } from '../jail/file.ts'
import type { Entry, Jail } from '../jail/jail.ts'
import { type Found, walk } from '../jail/walk.ts'
import type { Place } from '../path.ts'
import { finderOf } from './finder.ts'
import { decodeText, excerptOf, splitLines } from './text.ts'
import { wildcardMatcher } from './wildcard.ts'

export interface SearchOptions {
  readonly where: 'contents' | 'names'
  readonly matchCase: boolean
  /** Pattern for the names of files. `*` matches any characters. */
  readonly pattern: string
  readonly maxMatches: number
  /** Maximum number of files and directories to visit. */
  readonly maxVisits: number
  /** Maximum size of a file in bytes. Larger files are skipped. */
  readonly maxBytes: number
  readonly maxDepth: number
  readonly signal: AbortSignal
}

export interface SearchMatch {
  readonly path: string
  /** Number of the line, starting at 1. Only for a match in a file's content. */
  readonly line?: number | undefined
  /** The line. If it's long, only the part around the match. */
  readonly text?: string | undefined
}

export interface SearchMatches {
  readonly matches: readonly SearchMatch[]
  /** Number of files that weren't searched because they are binary, too large or unreadable. */
  readonly skipped: number
  /** True if the search ended at a limit, so there may be more matches. */
  readonly truncated: boolean
}

/** Maximum length of the text and the pattern, in characters. Longer ones can't match a name, and rarely a line. */
const MAX_LENGTH = 1000

/** The query, prepared once for all files. */
interface Query extends SearchOptions {
  fits(name: string): boolean
  /** Normalizes a text for comparison. */
  plain(words: string): string
  /** Returns the index of the query in a normalized text, or -1. */
  find(words: string): number
}

/** Searches one file, or a directory with all its subdirectories. */
export async function searchFiles(jail: Jail, place: Place, text: string, options: SearchOptions): Promise<SearchMatches> {
  const { maxMatches, maxVisits, maxDepth, signal } = options
  const query = queryOf(text, options)
  const matches: SearchMatch[] = []
  let [visits, skipped, truncated] = [0, 0, false]
  const onCut = () => {
    truncated = true
  }
  const visit = async (found: Found) => {
    visits += 1
    const added = await matchesIn(jail, found, query)
    if (added === undefined) skipped += 1
    else matches.push(...added)
  }
  if (await isFile(jail, place)) {
    await jail.within(place, async (entry) =>
      visit({ path: place.path, entry, stats: await jail.lstat(entry), isUnnamable: false }),
    )
  } else {
    await jail.enter(place, async (directory) => {
      for await (const found of walk(jail, directory, place.path, { depth: maxDepth, recursive: true, signal, onCut })) {
        if (visits === maxVisits || matches.length > maxMatches) return onCut()
        await visit(found)
      }
    })
  }
  return { matches: matches.slice(0, maxMatches), skipped, truncated: truncated || matches.length > maxMatches }
}

function queryOf(text: string, options: SearchOptions): Query {
  const { where, pattern, matchCase } = options
  assertLength('text', text)
  assertLength('pattern', pattern)
  if (where === 'names') assertName('text', text)
  assertName('pattern', pattern)
  const plain = (words: string) => (matchCase ? words : words.toLowerCase())
  return { ...options, fits: wildcardMatcher(pattern), plain, find: finderOf(plain(text)) }
}

function assertLength(name: string, { length }: string): void {
  if (length > MAX_LENGTH)
    throw fileError('limit', `"${name}" has ${length} characters, and the limit is ${MAX_LENGTH}. Nothing was searched.`)
}

/** Refuses a path such as `src/*.ts`, which would match nothing, as if there were no such file. */
function assertName(argument: string, words: string): void {
  if (!words.includes('/')) return
  throw fileError(
    'invalid_path',
    `"${argument}" is compared with names, which contain no "/". To search one directory, pass it as "path".`,
  )
}

async function isFile(jail: Jail, place: Place): Promise<boolean> {
  return place.names.length > 0 && (await jail.within(place, (entry) => jail.lstat(entry))).isFile()
}

/** Searches one file. Returns undefined if the file can't be searched. */
async function matchesIn(
  jail: Jail,
  { path, entry, stats }: Found,
  { where, fits, plain, find, maxMatches, maxBytes, signal }: Query,
): Promise<readonly SearchMatch[] | undefined> {
  if (!fits(entry.name)) return []
  if (where === 'names') return find(plain(entry.name)) < 0 ? [] : [{ path }]
  if (!stats.isFile()) return []
  const content = await contentOf(jail, entry, { maxBytes, signal })
  if (content === undefined) return undefined
  const matches: SearchMatch[] = []
  for (const [index, line] of splitLines(content).entries()) {
    const searched = plain(line)
    const at = find(searched)
    if (at >= 0) matches.push({ path, line: index + 1, text: excerptOf(line, offsetIn(line, searched, at)) })
    if (matches.length > maxMatches) break
  }
  return matches
}

async function contentOf(jail: Jail, entry: Entry, limits: ReadLimits): Promise<string | undefined> {
  try {
    return decodeText(await about(entry.given, () => withFile(jail, entry, (file) => readWhole(file, entry.given, limits))))
  } catch (error) {
    // The file is too large, deleted or unreadable. The caller counts it.
    if (isToolError(error) && error.reason !== undefined) return undefined
    throw error
  }
}

/**
 * Converts an index in the lower-case line to an index in the original line. They may differ, because some capitals have two characters in
 * lower case.
 */
function offsetIn(line: string, searched: string, at: number): number {
  if (searched.length === line.length) return at
  let [offset, passed] = [0, 0]
  for (const character of line) {
    passed += character.toLowerCase().length
    if (passed > at) break
    offset += character.length
  }
  return offset
}
