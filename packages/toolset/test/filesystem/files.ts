/** Creates a temporary folder with a root and files outside the root, and offers the operations without tools. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { onTestFinished } from 'vitest'
import { Jail } from '../../src/filesystem/jail/jail.ts'
import { listEntries, statusOf } from '../../src/filesystem/operations/list.ts'
import { readText } from '../../src/filesystem/operations/read.ts'
import { remove } from '../../src/filesystem/operations/remove.ts'
import { type SearchOptions, searchFiles } from '../../src/filesystem/operations/search.ts'
import { copy, move } from '../../src/filesystem/operations/transfer.ts'
import { type WriteMode, writeText } from '../../src/filesystem/operations/write.ts'
import { limitsOf } from '../../src/filesystem/options.ts'
import { parsePath } from '../../src/filesystem/path.ts'
import type { Loose } from '../loose.ts'

export const SECRET = 'secret of the outside'

/** A folder for a test. `base/work` is the root. `base/out.txt`, `base/outside/` and `base/work-evil/` must not be reached. */
export interface Folder {
  readonly base: string
  readonly root: string
  /** Returns all files outside the root, with their content. */
  outside(): Record<string, string>
}

/** Creates the folder, which is removed when the test ends. */
export function makeFolder(): Folder {
  const base = mkdtempSync(join(tmpdir(), 'x-files-'))
  onTestFinished(() => rmSync(base, { recursive: true, force: true }))
  const root = join(base, 'work')
  for (const name of ['work', 'outside', 'work-evil']) mkdirSync(join(base, name))
  for (const name of ['out.txt', 'outside/out.txt', 'work-evil/s.txt']) writeFileSync(join(base, name), SECRET)
  return { base, root, outside: () => snapshot(base, root) }
}

function snapshot(base: string, except: string): Record<string, string> {
  const found: Record<string, string> = {}
  const visit = (folder: string) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name)
      if (path === except) continue
      found[relative(base, path)] = entry.isFile() ? readFileSync(path, 'utf8') : 'no file'
      if (entry.isDirectory()) visit(path)
    }
  }
  visit(base)
  return found
}

/** The operations with untyped results, because typed ones would cost the compiler time at every `expect`. */
interface FilesUnderTest {
  readonly jail: Jail
  read(path: string): Promise<Loose>
  list(path?: string, recursive?: boolean): Promise<Loose>
  stat(path: string): Promise<Loose>
  search(text: string, path?: string, options?: Partial<SearchOptions>): Promise<Loose>
  write(path: string, text: string, mode?: WriteMode): Promise<Loose>
  move(from: string, to: string, overwrite?: boolean): Promise<Loose>
  copy(from: string, to: string, overwrite?: boolean): Promise<Loose>
  remove(path: string, recursive?: boolean): Promise<Loose>
}

const running = new AbortController().signal

/** Returns the operations, with the limits of a toolset. With `byPath`, paths are used instead of descriptors, as on macOS and Windows. */
export function filesIn(root: string, { byPath = false, signal = running } = {}): FilesUnderTest {
  const limits = limitsOf('test', {})
  const jail = new Jail('test', root, { ...limits, byPath })
  return {
    jail,
    read: async (path: string) =>
      readText(
        jail,
        parsePath(path),
        { startLine: 1, lineCount: Infinity },
        { ...limits, maxBytes: limits.maxReadBytes, signal },
      ),
    list: async (path = '.', recursive = false) => listEntries(jail, parsePath(path), { ...limits, recursive, signal }),
    stat: async (path: string) => statusOf(jail, parsePath(path)),
    search: async (text: string, path = '.', options: Partial<SearchOptions> = {}) =>
      searchFiles(jail, parsePath(path), text, { ...SEARCH, signal, ...options }),
    write: async (path: string, text: string, mode: WriteMode = 'create') =>
      writeText(jail, parsePath(path), text, { mode, maxBytes: limits.maxWriteBytes, signal }),
    move: async (from: string, to: string, overwrite = false) =>
      move(jail, parsePath(from), parsePath(to), { ...limits, overwrite, signal }),
    copy: async (from: string, to: string, overwrite = false) =>
      copy(jail, parsePath(from), parsePath(to), { overwrite, signal, maxBytes: limits.maxCopyBytes }),
    remove: async (path: string, recursive = false) => remove(jail, parsePath(path), { ...limits, recursive, signal }),
  }
}

/** Returns a signal that is never aborted. Whenever it is read, which is in the middle of a call, it runs a callback. */
export function signalThat(act: () => unknown): AbortSignal {
  const get = () => {
    act()
    return false
  }
  return Object.defineProperty(new AbortController().signal, 'aborted', { get })
}

const SEARCH = {
  where: 'contents',
  matchCase: false,
  pattern: '*',
  maxMatches: 100,
  maxVisits: 1000,
  maxBytes: 1000,
  maxDepth: 32,
} as const

/** The ways of reaching an entry that exist on this platform. */
export const WAYS = [
  ...(existsSync('/proc/self/fd') ? [{ way: 'by descriptor', byPath: false }] : []),
  { way: 'by path', byPath: true },
]

const probe = mkdtempSync(join(tmpdir(), 'x-probe-'))

/** A suffix for the names of tests that need links. Says why they are skipped, or is empty. */
export const NO_LINKS = reasonAgainst('links cannot be made here', () => symlinkSync(probe, join(probe, 'link')))
export const NO_PIPES = reasonAgainst('there is no mkfifo here', () => execFileSync('mkfifo', [join(probe, 'pipe')]))
export const NO_DEVICES = reasonAgainst('devices cannot be made here', () =>
  execFileSync('mknod', [join(probe, 'zero'), 'c', '1', '5'], { stdio: 'ignore' }),
)
/** A suffix for tests of names that aren't valid Unicode, which APFS and Windows refuse. */
export const NO_RAW_NAMES = reasonAgainst('names are text here', () =>
  mkdirSync(Buffer.concat([Buffer.from(join(probe, 'raw')), Buffer.of(0xff)])),
)
rmSync(probe, { recursive: true })

function reasonAgainst(reason: string, attempt: () => void): string {
  try {
    attempt()
    return ''
  } catch {
    return ` (skipped: ${reason})`
  }
}
