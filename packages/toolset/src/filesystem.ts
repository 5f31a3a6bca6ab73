/** File tools for one directory. They never read or change anything outside the directory, whatever path a model passes. */
import { image, text } from '@x/tool-core'
import * as Type from 'typebox'
import { type ChangeMethods, changeMethods } from './filesystem/changes.ts'
import { Jail } from './filesystem/jail/jail.ts'
import { listEntries, statusOf } from './filesystem/operations/list.ts'
import { readText } from './filesystem/operations/read.ts'
import { searchFiles } from './filesystem/operations/search.ts'
import { type FileSystemLimits, type FileSystemOptions, limitsOf } from './filesystem/options.ts'
import { parsePath } from './filesystem/path.ts'
import { assertOptions } from './option.ts'
import { method } from './toolset/method.ts'
import { Toolset } from './toolset/toolset.ts'

export type { FileEntry, FileType } from './filesystem/entry.ts'
export type { FileSystemReason } from './filesystem/errors.ts'
export type { FileList, FileStatus } from './filesystem/operations/list.ts'
export type { FileImage, FileText } from './filesystem/operations/read.ts'
export type { SearchMatch, SearchMatches } from './filesystem/operations/search.ts'
export type { WriteMode, Written } from './filesystem/operations/write.ts'
export type { FileSystemLimits, FileSystemOptions } from './filesystem/options.ts'

const path = Type.String({ description: 'Path relative to the root, such as "notes/today.txt"; "." is the root' })

/** A method that changes files. Undefined if the toolset is read-only, both as a type and at run time. */
type Changing<ReadOnly, Method> = ReadOnly extends true ? undefined : Method

/**
 * Reads, writes, lists, searches, moves, copies and deletes files below a root directory. Links are never followed. A failed call throws
 * `ToolError('execution_failed')` with a `FileSystemReason` as its `reason`. The message shows the path as the caller passed it. An aborted
 * call fails with `aborted`.
 */
export class FileSystemToolset<const Name extends string = 'filesystem', ReadOnly extends boolean = false> extends Toolset {
  readonly name: Name
  override readonly instructions =
    'File paths are relative to one root directory, with "/" between names. Absolute paths, paths that leave the root and paths through links are refused.'
  readonly #jail: Jail
  readonly #limits: FileSystemLimits

  /** Throws `ToolError('invalid_definition')` if the root isn't a directory, or if a limit isn't a whole number above 0. */
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

  /** Resolves links in the root's own path. Calling it is optional, because the first call of a tool does the same. */
  async open(): Promise<void> {
    await this.#jail.open()
  }

  readonly read = method({
    description:
      'Read a text file, or some of its lines. Shows an image (PNG, JPEG, GIF, WebP) as an image. Also returns the size in bytes and the number of lines of the whole file. truncated: true when more lines follow.',
    effect: 'read',
    // The output is limited by `maxReadBytes` and `maxImageBytes` instead.
    maxOutputLength: Number.MAX_SAFE_INTEGER,
    maxMediaBytes: Number.MAX_SAFE_INTEGER,
    args: Type.Object({
      path,
      start_line: Type.Optional(Type.Integer({ minimum: 1, description: 'First line to read. Default: 1' })),
      line_count: Type.Optional(Type.Integer({ minimum: 1, description: 'Number of lines to read. Default: all' })),
    }),
    execute: async ({ path, start_line: startLine = 1, line_count: lineCount = Infinity }, { signal }) => {
      const { maxReadBytes: maxBytes, maxImageBytes } = this.#limits
      return readText(this.#jail, parsePath(path), { startLine, lineCount }, { maxBytes, maxImageBytes, signal })
    },
    toModelOutput: ({ path, size, image: found }) =>
      found && [text(`${path}: ${found.mediaType}, ${size} bytes`), image({ mediaType: found.mediaType, data: found.data })],
  })

  readonly list = method({
    description:
      'List the entries of a directory by name, with their types and the sizes of files. Links are shown, not followed. truncated: true when there are more entries.',
    effect: 'read',
    args: Type.Object({
      path: Type.Optional(Type.String({ description: 'Directory to list. Default: the root' })),
      recursive: Type.Optional(Type.Boolean({ description: 'Also list its subdirectories. Default: false' })),
    }),
    execute: async ({ path = '.', recursive = false }, { signal }) =>
      listEntries(this.#jail, parsePath(path), { ...this.#limits, recursive, signal }),
  })

  readonly search = method({
    description:
      'Search text files for a string, line by line, or search the names of files and directories. truncated: true when there may be more matches. skipped: number of files that are binary, too large or unreadable.',
    effect: 'read',
    args: Type.Object({
      text: Type.String({ minLength: 1, description: 'Text to find, taken literally, not as a pattern' }),
      path: Type.Optional(
        Type.String({ description: 'Directory to search with all its subdirectories, or one file. Default: the root' }),
      ),
      where: Type.Optional(Type.Enum(['contents', 'names'], { type: 'string', description: 'Default: contents' })),
      pattern: Type.Optional(Type.String({ description: 'Only names that match, such as "*.ts"; * matches any characters' })),
      match_case: Type.Optional(Type.Boolean({ description: 'Search case-sensitively. Default: false' })),
    }),
    execute: async ({ text, path = '.', where = 'contents', pattern = '*', match_case: matchCase = false }, { signal }) => {
      const { maxSearchEntries: maxVisits, maxSearchBytes: maxBytes, maxMatches, maxDepth } = this.#limits
      const options = { where, pattern, matchCase, maxVisits, maxBytes, maxMatches, maxDepth, signal }
      return searchFiles(this.#jail, parsePath(path), text, options)
    },
  })

  readonly stat = method({
    description: 'Get the type of a path (file, directory or link), its size in bytes, and when it was last changed.',
    effect: 'read',
    args: Type.Object({ path }),
    execute: async ({ path }) => statusOf(this.#jail, parsePath(path)),
  })

  readonly write: Changing<ReadOnly, ChangeMethods['write']>
  readonly move: Changing<ReadOnly, ChangeMethods['move']>
  readonly copy: Changing<ReadOnly, ChangeMethods['copy']>
  readonly delete: Changing<ReadOnly, ChangeMethods['delete']>
}
