/** What a `FileSystemToolset` is made with, and its limits. */
import { ToolError } from '@x/tool-core'

/** What one call may do at most. */
export interface FileSystemLimits {
  /** Largest file that is read, in bytes; 1 MiB unless told. */
  readonly maxReadBytes: number
  /** Largest file that is written, in bytes, also after an append; 1 MiB unless told. */
  readonly maxWriteBytes: number
  /** Largest file that is copied, in bytes; 64 MiB unless told. */
  readonly maxCopyBytes: number
  /** Entries that one list shows, and that one call deletes; 1,000 unless told. */
  readonly maxEntries: number
  /**
   * Levels of directories: those that a list, a search or a deletion goes through, and those below the root that a call makes or moves a
   * directory down to. Default: 32.
   */
  readonly maxDepth: number
  /** Files and directories that one search looks at; 10,000 unless told. */
  readonly maxSearchEntries: number
  /** Largest file that is searched, in bytes; 1 MiB unless told. */
  readonly maxSearchBytes: number
  /** Matches that one search gives; 100 unless told. */
  readonly maxMatches: number
}

type GivenLimits = { readonly [Limit in keyof FileSystemLimits]?: FileSystemLimits[Limit] | undefined }

export interface FileSystemOptions<Name extends string = string, ReadOnly extends boolean = boolean> extends GivenLimits {
  /** A directory that exists: nothing outside it is read or changed. */
  readonly root: string
  /** Prefix of the tools' names; `filesystem` unless told. */
  readonly name?: Name | undefined
  /** Leaves out the tools that change something, and their methods. */
  readonly readOnly?: ReadOnly | undefined
}

const MEBIBYTE = 1024 * 1024

export const DEFAULT_LIMITS: FileSystemLimits = {
  maxReadBytes: MEBIBYTE,
  maxWriteBytes: MEBIBYTE,
  maxCopyBytes: 64 * MEBIBYTE,
  maxEntries: 1000,
  maxDepth: 32,
  maxSearchEntries: 10_000,
  maxSearchBytes: MEBIBYTE,
  maxMatches: 100,
}

/** Throws `invalid_definition` for a limit that is no whole number above zero. */
export function limitsOf(owner: string, options: GivenLimits): FileSystemLimits {
  const entries = Object.entries(DEFAULT_LIMITS).map(([key, fallback]) => {
    const limit = options[key as keyof FileSystemLimits] ?? fallback
    if (Number.isSafeInteger(limit) && limit > 0) return [key, limit]
    throw new ToolError('invalid_definition', `${owner}: ${key} must be a whole number above zero, got ${String(limit)}.`)
  })
  return Object.fromEntries(entries)
}
