/** Files below one directory as a toolset: whatever a model writes, nothing outside is read or changed. */
import * as Type from 'typebox'
import { type ChangeMethods, changeMethods } from './filesystem/changes.ts'
import { Jail } from './filesystem/jail.ts'
import { listEntries, statusOf } from './filesystem/list.ts'
import { type FileSystemLimits, type FileSystemOptions, limitsOf } from './filesystem/options.ts'
import { parsePath } from './filesystem/path.ts'
import { readText } from './filesystem/read.ts'
import { searchFiles } from './filesystem/search.ts'
import { method } from './toolset/method.ts'
import { assertOptions } from './toolset/option.ts'
import { Toolset } from './toolset/toolset.ts'

export type { FileEntry, FileType } from './filesystem/entry.ts'
export type { FileSystemReason } from './filesystem/errors.ts'
export type { FileList, FileStatus } from './filesystem/list.ts'
export type { FileSystemLimits, FileSystemOptions } from './filesystem/options.ts'
export type { FileText } from './filesystem/read.ts'
export type { SearchMatch, SearchMatches } from './filesystem/search.ts'
export type { WriteMode, Written } from './filesystem/write.ts'

const path = Type.String({ description: 'Relative to the root, such as "notes/today.txt"; "." is the root' })

/** Nothing when the toolset is read-only, so that there is no such tool, neither as a type nor at run time. */
type Changing<ReadOnly, Method> = ReadOnly extends true ? undefined : Method

/**
 * Reads, writes, lists, searches, moves, copies and deletes below a root. Links are never followed. Every failure is a
 * `ToolError('execution_failed')` with a `FileSystemReason`; its message shows the path as it was given. Only a
 * caller who gives up gets `aborted`.
 */
export class FileSystemToolset<const Name extends string = 'filesystem', ReadOnly extends boolean = false> extends Toolset {
  readonly name: Name
  override readonly instructions =
    'File paths are relative to one root directory, with "/" between names. Absolute paths, paths that leave the root and paths through links are refused.'
  readonly #jail: Jail
  readonly #limits: FileSystemLimits

  /** Throws `ToolError('invalid_definition')` unless the root is a directory and the limits are whole numbers. */
  constructor(options: FileSystemOptions<Name, ReadOnly>) {
    assertOptions(options, 'FileSystemToolset', "{ root: './notes' }")
    super()
    this.name = (options.name ?? 'filesystem') as Name
    const owner = `FileSystemToolset "${this.name}"`
    this.#limits = limitsOf(owner, options)
    this.#jail = new Jail(owner, options.root, this.#limits)
    const changes: Partial<ChangeMethods> = options.readOnly ? {} : changeMethods(this.#jail, this.#limits)
    this.write = changes.write as Changing<ReadOnly, ChangeMethods['write']>
    this.move = changes.move as Changing<ReadOnly, ChangeMethods['move']>
    this.copy = changes.copy as Changing<ReadOnly, ChangeMethods['copy']>
    this.delete = changes.delete as Changing<ReadOnly, ChangeMethods['delete']>
  }

  /** Fixes where the root is, should its path contain links; the first call does so otherwise. */
  async open(): Promise<void> {
    await this.#jail.open()
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

  readonly write: Changing<ReadOnly, ChangeMethods['write']>
  readonly move: Changing<ReadOnly, ChangeMethods['move']>
  readonly copy: Changing<ReadOnly, ChangeMethods['copy']>
  readonly delete: Changing<ReadOnly, ChangeMethods['delete']>
}
