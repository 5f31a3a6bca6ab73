/** Files below one directory as a toolset: whatever a model writes, nothing outside is read or changed. */
import type { Tool } from '@x/tool-core'
import * as Type from 'typebox'
import { fileError } from './filesystem/errors.ts'
import { Jail } from './filesystem/jail.ts'
import { listEntries, statusOf } from './filesystem/list.ts'
import { type FileSystemLimits, type FileSystemOptions, limitsOf } from './filesystem/options.ts'
import { type Place, parsePath } from './filesystem/path.ts'
import { readText } from './filesystem/read.ts'
import { remove } from './filesystem/remove.ts'
import { searchFiles } from './filesystem/search.ts'
import { assertGoing } from './filesystem/signal.ts'
import { copy, move } from './filesystem/transfer.ts'
import { Turns } from './filesystem/turns.ts'
import { writeText } from './filesystem/write.ts'
import { method } from './method.ts'
import { Toolset, type ToolsOf } from './toolset.ts'

export type { FileEntry, FileType } from './filesystem/entry.ts'
export type { FileSystemReason } from './filesystem/errors.ts'
export type { FileList, FileStatus } from './filesystem/list.ts'
export type { FileSystemLimits, FileSystemOptions } from './filesystem/options.ts'
export type { FileText } from './filesystem/read.ts'
export type { SearchMatch, SearchMatches } from './filesystem/search.ts'
export type { WriteMode, Written } from './filesystem/write.ts'

const path = Type.String({ description: 'Relative to the root, such as "notes/today.txt"; "." is the root' })
const from = Type.String({ description: 'What it is called now' })
const to = Type.String({ description: 'The whole new path, not the directory to put it in; missing directories are made' })
const overwrite = Type.Optional(Type.Boolean({ description: 'Replace a file that is there; false unless told' }))

/**
 * Reads, writes, lists, searches, moves, copies and deletes below a root. Links are never followed. Every failure is a
 * `ToolError('execution_failed')` with a `FileSystemReason`; its message shows the path as it was given. Only a
 * caller who gives up gets `aborted`.
 */
export class FileSystemToolset<const Name extends string = 'filesystem'> extends Toolset {
  readonly name: Name
  override readonly instructions =
    'File paths are relative to one root directory, with "/" between names. Absolute paths, paths that leave the root and paths through links are refused.'
  readonly #jail: Jail
  readonly #limits: FileSystemLimits
  readonly #readOnly: boolean
  readonly #turns = new Turns()
  #readTools: readonly ToolsOf<this>[] | undefined

  /** Throws `ToolError('invalid_definition')` unless the root is a directory and the limits are whole numbers. */
  constructor(options: FileSystemOptions<Name>) {
    super()
    this.name = (options.name ?? 'filesystem') as Name
    const owner = `FileSystemToolset "${this.name}"`
    this.#jail = new Jail(owner, options.root)
    this.#limits = limitsOf(owner, options)
    this.#readOnly = options.readOnly ?? false
  }

  /** Fixes where the root is, should its path contain links; the first call does so otherwise. */
  async open(): Promise<void> {
    await this.#jail.open()
  }

  /** Without the tools that change something when the toolset is read-only. */
  override tools(): readonly ToolsOf<this>[] {
    const tools = super.tools()
    if (!this.#readOnly) return tools
    this.#readTools ??= tools.filter((tool: Tool) => tool.effect === 'read')
    return this.#readTools
  }

  readonly read = method({
    description:
      'Read a text file, whole or some of its lines. Also tells the size in bytes and the number of lines of the whole file. truncated: more lines follow.',
    effect: 'read',
    // `maxReadBytes` is the limit.
    maxOutputLength: Number.MAX_SAFE_INTEGER,
    args: Type.Object({
      path,
      start_line: Type.Optional(Type.Integer({ minimum: 1, description: 'First line to read; 1 unless told' })),
      line_count: Type.Optional(Type.Integer({ minimum: 1, description: 'How many lines to read; all unless told' })),
    }),
    execute: async ({ path, start_line: startLine = 1, line_count: lineCount = Infinity }, { signal }) => {
      const limits = { maxBytes: this.#limits.maxReadBytes, signal }
      return readText(this.#jail, parsePath(path), { startLine, lineCount }, limits)
    },
  })

  readonly list = method({
    description:
      'List what a directory holds, by name, with types and sizes of files. Links are shown, not followed. truncated: there is more than is shown.',
    effect: 'read',
    args: Type.Object({
      path: Type.Optional(Type.String({ description: 'A directory; the root unless told' })),
      recursive: Type.Optional(Type.Boolean({ description: 'Also list the directories in it; false unless told' })),
    }),
    execute: async ({ path = '.', recursive = false }, { signal }) =>
      listEntries(this.#jail, parsePath(path), { ...this.#limits, recursive, signal }),
  })

  readonly search = method({
    description:
      'Search text files for a text, line by line, or search the names of files and directories. truncated: there may be more matches. skipped: files that are binary or too large.',
    effect: 'read',
    args: Type.Object({
      text: Type.String({ minLength: 1, description: 'What to look for, taken literally; no pattern' }),
      path: Type.Optional(
        Type.String({ description: 'A directory to search with all below it, or one file; the root unless told' }),
      ),
      where: Type.Optional(Type.Enum(['contents', 'names'], { type: 'string', description: 'contents unless told' })),
      pattern: Type.Optional(Type.String({ description: 'Only names that fit, such as "*.ts"; * stands for any characters' })),
      match_case: Type.Optional(Type.Boolean({ description: 'Tell capitals from small letters; false unless told' })),
    }),
    execute: async ({ text, path = '.', where = 'contents', pattern = '*', match_case: matchCase = false }, { signal }) => {
      const { maxSearchEntries: maxVisits, maxSearchBytes: maxBytes, maxMatches, maxDepth } = this.#limits
      const options = { where, pattern, matchCase, maxVisits, maxBytes, maxMatches, maxDepth, signal }
      return searchFiles(this.#jail, parsePath(path), text, options)
    },
  })

  readonly stat = method({
    description: 'Tell whether a path is a file, a directory or a link, its size in bytes, and when it was last changed.',
    effect: 'read',
    args: Type.Object({ path }),
    execute: async ({ path }) => statusOf(this.#jail, parsePath(path)),
  })

  readonly write = method({
    description: 'Write a text file. Missing directories are made. The file changes as a whole or not at all.',
    effect: 'write',
    args: Type.Object({
      path,
      text: Type.String({ description: 'The new content, or what to append' }),
      mode: Type.Optional(
        Type.Enum(['create', 'replace', 'append'], {
          type: 'string',
          description:
            'create: fail if the file exists. replace: make it, or put the text in place of all its content. append: add to its end, or make it. create unless told',
        }),
      ),
    }),
    execute: async ({ path, text, mode = 'create' }, { signal }) => {
      const place = parsePath(path)
      return this.#change([place], signal, () =>
        writeText(this.#jail, place, text, { mode, maxBytes: this.#limits.maxWriteBytes, signal }),
      )
    },
  })

  readonly move = method({
    description: 'Move or rename a file or a directory. A directory never replaces anything.',
    effect: 'write',
    args: Type.Object({ from, to, overwrite }),
    execute: async ({ from, to, overwrite = false }, { signal }) => {
      const [source, target] = [parsePath(from), parsePath(to)]
      await this.#change([source, target], signal, () => move(this.#jail, source, target, { overwrite, signal }))
      return { from: source.path, to: target.path }
    },
  })

  readonly copy = method({
    description: 'Copy one file.',
    effect: 'write',
    args: Type.Object({ from, to, overwrite }),
    execute: async ({ from, to, overwrite = false }, { signal }) => {
      const [source, target] = [parsePath(from), parsePath(to)]
      const options = { overwrite, signal, maxBytes: this.#limits.maxCopyBytes }
      const size = await this.#change([source, target], signal, () => copy(this.#jail, source, target, options))
      return { from: source.path, to: target.path, size }
    },
  })

  readonly delete = method({
    description: 'Delete a file, a link, or a directory, for good. Tells how many entries are gone.',
    effect: 'destructive',
    args: Type.Object({
      path,
      recursive: Type.Optional(
        Type.Boolean({ description: 'Delete a directory with all it holds; false unless told: only an empty one' }),
      ),
    }),
    execute: async ({ path, recursive = false }, { signal }) => {
      const place = parsePath(path)
      const deleted = await this.#change([place], signal, () => remove(this.#jail, place, { ...this.#limits, recursive, signal }))
      return { path: place.path, deleted }
    },
  })

  /** One change at a time for each path; none when the toolset is read-only. */
  async #change<T>(places: readonly Place[], signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    if (this.#readOnly) throw fileError('read_only', 'Files can only be read here.')
    const paths = places.map(({ path }) => path)
    return this.#turns.take(paths, async () => {
      assertGoing(signal)
      return work()
    })
  }
}
