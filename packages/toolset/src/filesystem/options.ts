/** Options and limits of `FileSystemToolset`. */
import { assertCount } from '../option.ts'

/** Limits for one call. */
export interface FileSystemLimits {
  /** Largest text file that can be read, in bytes. Default: 1 MiB. */
  readonly maxReadBytes: number
  /** Largest image that can be read, in bytes. Default: 5 MiB. */
  readonly maxImageBytes: number
  /** Largest file that can be written, in bytes, including after an append. Default: 1 MiB. */
  readonly maxWriteBytes: number
  /** Largest file that can be copied, in bytes. Default: 64 MiB. */
  readonly maxCopyBytes: number
  /** Maximum number of entries that one call lists or deletes. Default: 1,000. */
  readonly maxEntries: number
  /**
   * Maximum depth in directory levels. Applies to lists, searches and deletions, and to directories that a call creates or moves. Default:
   * 32.
   */
  readonly maxDepth: number
  /** Maximum number of files and directories that one search visits. Default: 10,000. */
  readonly maxSearchEntries: number
  /** Largest file that is searched, in bytes. Default: 1 MiB. */
  readonly maxSearchBytes: number
  /** Maximum number of matches that one search returns. Default: 100. */
  readonly maxMatches: number
}

type GivenLimits = { readonly [Limit in keyof FileSystemLimits]?: FileSystemLimits[Limit] | undefined }

export interface FileSystemOptions<Name extends string = string, ReadOnly extends boolean = boolean> extends GivenLimits {
  /** An existing directory. The tools read and change nothing outside it. */
  readonly root: string
  /** Prefix for the tool names. Default: `filesystem`. */
  readonly name?: Name | undefined
  /** Whether to leave out the tools that change files, and their methods. Default: false. */
  readonly readOnly?: ReadOnly | undefined
}

const MEBIBYTE = 1024 * 1024

export const DEFAULT_LIMITS: FileSystemLimits = {
  maxReadBytes: MEBIBYTE,
  maxImageBytes: 5 * MEBIBYTE,
  maxWriteBytes: MEBIBYTE,
  maxCopyBytes: 64 * MEBIBYTE,
  maxEntries: 1000,
  maxDepth: 32,
  maxSearchEntries: 10_000,
  maxSearchBytes: MEBIBYTE,
  maxMatches: 100,
}

/** Fills in the default limits. Throws `invalid_definition` for a limit that isn't a whole number above 0. */
export function limitsOf(owner: string, options: GivenLimits): FileSystemLimits {
  const entries = Object.entries(DEFAULT_LIMITS).map(([key, fallback]) => {
    const limit = options[key as keyof FileSystemLimits] ?? fallback
    assertCount(owner, key, limit)
    return [key, limit]
  })
  return Object.fromEntries(entries)
}
