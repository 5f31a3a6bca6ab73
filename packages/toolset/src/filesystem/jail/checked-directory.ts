/**
 * A directory that is identified by its path. Used on macOS and Windows, where the entries of an open directory can't be accessed through
 * its descriptor. Refuses links before use, and verifies afterwards what was opened. A directory that is swapped during a call is detected
 * before content is returned or kept. A process that swaps back and forth can still pass every check, and cause an entry outside to be
 * deleted or moved.
 */
import { type BigIntStats, lstatSync, renameSync } from 'node:fs'
import { type FileHandle, mkdir, realpath, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileError } from '../errors.ts'
import type { Directory } from './directory.ts'
import { identify, isSame } from './identity.ts'
import { temporaryName } from './temporary.ts'

/**
 * Number of times that the file and its directory are checked in turn. To stay unnoticed, a process would have to swap them back before
 * every check.
 */
const ROUNDS = 3

/** Identifies a directory by its path, which must be absolute and without links. */
export async function checkDirectory(path: string): Promise<Directory> {
  return new CheckedDirectory(path, await identify(path))
}

class CheckedDirectory implements Directory {
  readonly #path: string
  readonly #identity: BigIntStats

  constructor(path: string, identity: BigIntStats) {
    this.#path = path
    this.#identity = identity
  }

  pathOf(name: string): string {
    return join(this.#path, name)
  }

  async child(name: string): Promise<Directory> {
    const identity = await identify(this.pathOf(name))
    if (!identity.isDirectory()) throw Object.assign(new Error('not a directory'), { code: 'ENOTDIR' })
    // The file system may ignore case, so this is the name as the file system stores it.
    const path = await realpath(this.pathOf(name))
    if (dirname(path) !== this.#path) throw swapped()
    if (!isSame(identity, await identify(path))) throw replaced('directory')
    await this.confirm()
    return new CheckedDirectory(path, identity)
  }

  /**
   * Creates the directory under a name that no other process can guess, and then renames it. If the parent directory was swapped in the
   * meantime, the rename fails. The last step is synchronous, because `rename` would replace an empty directory that another call has just
   * made.
   */
  async make(name: string): Promise<void> {
    const temporary = this.pathOf(temporaryName())
    await mkdir(temporary)
    try {
      await this.confirm()
      if (lstatSync(this.pathOf(name), { throwIfNoEntry: false })) throw Object.assign(new Error('exists'), { code: 'EEXIST' })
      renameSync(temporary, this.pathOf(name))
    } catch (error) {
      // Ignores an error here, so that the first error is reported. At worst, an empty directory remains.
      await rmdir(temporary).catch(() => undefined)
      throw error
    }
  }

  async confirm(name?: string, opened?: FileHandle): Promise<void> {
    await this.#confirmPlace()
    if (name === undefined || opened === undefined) return
    const identity = await opened.stat({ bigint: true })
    for (let round = 0; round < ROUNDS; round++) {
      const found = await identify(this.pathOf(name))
      await this.#confirmPlace()
      if (!isSame(identity, found)) throw replaced('file')
    }
  }

  async #confirmPlace(): Promise<void> {
    const path = await realpath(this.#path)
    if (path !== this.#path) throw swapped()
    if (!isSame(this.#identity, await identify(path))) throw replaced('directory')
  }

  async close(): Promise<void> {}
}

function swapped(): Error {
  return fileError('path_outside_root', 'A directory on the path was replaced by a link during the call.')
}

/**
 * Creates the error for a file or directory that was replaced. Usually, another program has only saved the file, but the file that was
 * opened can't be trusted.
 */
function replaced(what: 'file' | 'directory'): Error {
  return fileError('busy', `The ${what} was replaced by another process during the call. Try again later.`)
}
