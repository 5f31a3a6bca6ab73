/**
 * A directory that is known by its path, where a descriptor cannot be used as one (macOS, Windows): links are refused before
 * use, and what was opened is confirmed after. A swap during a call is noticed before content is given back or kept. Not safe
 * from a process that swaps to and fro: it may deceive every look, and have an entry outside deleted or moved.
 */
import type { BigIntStats } from 'node:fs'
import { type FileHandle, mkdir, realpath, rename, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Directory } from './directory.ts'
import { fileError } from './errors.ts'
import { identify, isSame } from './identity.ts'
import { temporaryName } from './temporary.ts'

/** How often the file and its directory are looked at in turn: who swaps to and fro would have to hit the moment each time. */
const ROUNDS = 3

/** The path must be a real one: absolute, without links. */
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
    // As the file system writes it: it may not tell capitals from small letters.
    const path = await realpath(this.pathOf(name))
    if (dirname(path) !== this.#path || !isSame(identity, await identify(path))) throw swapped()
    await this.confirm()
    return new CheckedDirectory(path, identity)
  }

  /** Under a name that nobody can have put into another place first: when the directory was swapped, the rename finds nothing. */
  async make(name: string): Promise<void> {
    const temporary = this.pathOf(temporaryName())
    await mkdir(temporary)
    try {
      await this.confirm()
      await rename(temporary, this.pathOf(name))
    } catch (error) {
      // The first error is the one to tell; an empty directory stays behind at worst.
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
      if (!isSame(identity, found)) throw replaced()
    }
  }

  async #confirmPlace(): Promise<void> {
    const path = await realpath(this.#path).catch(() => undefined)
    if (path !== this.#path || !isSame(this.#identity, await identify(path))) throw swapped()
  }

  async close(): Promise<void> {}
}

function swapped(): Error {
  return fileError('path_outside_root', 'A directory on the path was swapped for another during the call.')
}

/** By an ordinary writer most of the time. What was opened counts as foreign all the same. */
function replaced(): Error {
  return fileError('busy', 'The file was replaced by another writer again and again; try again later.')
}
