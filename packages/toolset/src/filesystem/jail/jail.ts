/** The root directory. This class is the only access to paths below it. It opens one directory at a time and never follows a link. */
import { type Stats, statSync } from 'node:fs'
import { lstat, realpath } from 'node:fs/promises'
import { join, resolve, sep } from 'node:path'
import { ToolError } from '@x/tool-core'
import { about, codeOf, fileError, tooDeep } from '../errors.ts'
import { DEFAULT_LIMITS } from '../options.ts'
import type { Place } from '../path.ts'
import { quote } from '../quote.ts'
import { checkDirectory } from './checked-directory.ts'
import type { Directory } from './directory.ts'
import { holdDirectory } from './held-directory.ts'

/** A name in a directory. The entry may not exist yet. */
export interface Entry {
  readonly directory: Directory
  readonly name: string
  /** The path as the caller passed it. */
  readonly given: string
}

export interface JailOptions {
  /** Accesses files by path even where descriptors are available. Default: false. */
  readonly byPath?: boolean | undefined
  /** Maximum depth of a directory that a call may create, in levels below the root. */
  readonly maxDepth?: number | undefined
}

export class Jail {
  readonly #given: string
  readonly #byPath: boolean
  readonly #maxDepth: number
  #root: Promise<string> | undefined

  /** Throws `invalid_definition` if the root isn't an existing directory. */
  constructor(owner: string, root: string, { byPath = false, maxDepth = DEFAULT_LIMITS.maxDepth }: JailOptions = {}) {
    this.#given = resolve(assertRoot(owner, root))
    this.#byPath = byPath
    this.#maxDepth = maxDepth
  }

  /** Resolves the real path of the root. Calling it is optional, because the first use of the root does the same. */
  async open(): Promise<void> {
    await this.#realRoot()
  }

  /**
   * Returns the absolute path of a place. It must not appear in a message. Each place has only one path, because links are never followed.
   */
  async locate({ names }: Place): Promise<string> {
    return join(await this.#realRoot(), ...names)
  }

  /**
   * Calls `use` with a place and the directory that contains it. Throws `protected` for the root itself. Creates missing directories if
   * `make` is true.
   */
  async within<T>(place: Place, use: (entry: Entry) => Promise<T>, make = false): Promise<T> {
    const name = place.names.at(-1)
    if (name === undefined) {
      throw fileError('protected', `${quote(place.given)} is the root itself, which you can only list, search or stat.`)
    }
    const parent = { ...place, names: place.names.slice(0, -1) }
    return this.enter(parent, (directory) => use({ directory, name, given: place.given }), make)
  }

  async enter<T>(place: Place, use: (directory: Directory) => Promise<T>, make = false): Promise<T> {
    const directory = await about(place.given, () => this.#descend(place, make))
    try {
      return await about(place.given, () => use(directory))
    } finally {
      await directory.close()
    }
  }

  async #descend({ names, given }: Place, make: boolean): Promise<Directory> {
    let directory = await this.#openRoot()
    for (const name of names) {
      const entry = { directory, name, given }
      try {
        if (make) await this.#makeMissing(entry, names.length)
        directory = await this.childOf(entry)
      } finally {
        await entry.directory.close()
      }
    }
    return directory
  }

  /** Opens the directory that an entry names. Refuses a link. The error then states whether the link leads outside the root. */
  async childOf({ directory, name, given }: Entry): Promise<Directory> {
    try {
      return await directory.child(name)
    } catch (error) {
      const code = codeOf(error)
      if (code !== 'ENOTDIR' && code !== 'ELOOP') throw error
      await this.lstat({ directory, name, given })
      throw error
    }
  }

  /** Returns the status of an entry. Refuses a link. If the entry doesn't exist, rejects with the error of `lstat`. */
  async lstat({ directory, name, given }: Entry): Promise<Stats> {
    const stats = await lstat(directory.pathOf(name))
    if (stats.isSymbolicLink()) throw await this.#linkError(directory.pathOf(name), name, given)
    return stats
  }

  async #linkError(path: string, name: string, given: string): Promise<ToolError> {
    // Used only for the message. A target that can't be resolved counts as outside.
    const target = await realpath(path).catch(() => undefined)
    const inside = target !== undefined && isInside(await this.#realRoot(), target)
    const words = `${quote(given)} goes through the link ${quote(name)}. Links are never followed`
    return inside
      ? fileError('symbolic_link', `${words}.`)
      : fileError('path_outside_root', `${words}, and this one leads outside the root.`)
  }

  /** Creates missing directories. `levels` is the number of levels in the whole path, so that a path that is too deep creates none. */
  async #makeMissing({ directory, name, given }: Entry, levels: number): Promise<void> {
    try {
      await lstat(directory.pathOf(name))
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw error
      if (levels > this.#maxDepth) throw tooDeep(given, this.#maxDepth)
      await directory.make(name).catch(async (failure) => {
        // Succeeds if another process has created the directory in the meantime.
        await lstat(directory.pathOf(name)).catch(() => Promise.reject(failure))
      })
    }
  }

  async #openRoot(): Promise<Directory> {
    const root = await this.#realRoot()
    try {
      return (this.#byPath ? undefined : await holdDirectory(root)) ?? (await checkDirectory(root))
    } catch (cause) {
      throw rootError(cause)
    }
  }

  async #realRoot(): Promise<string> {
    this.#root ??= realpath(this.#given)
    try {
      return await this.#root
    } catch (cause) {
      this.#root = undefined
      throw rootError(cause)
    }
  }
}

function isInside(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep)
}

function assertRoot(owner: string, root: unknown): string {
  let cause: unknown
  try {
    if (typeof root === 'string' && root !== '' && statSync(root).isDirectory()) return root
  } catch (error) {
    cause = error
  }
  throw new ToolError(
    'invalid_definition',
    `${owner}: root must be an existing directory, got ${JSON.stringify(root)}. Create it first: mkdirSync(root, { recursive: true }).`,
    { cause },
  )
}

function rootError(cause: unknown): ToolError {
  return fileError('failed', 'The root directory cannot be opened, so no path will work.', cause)
}
