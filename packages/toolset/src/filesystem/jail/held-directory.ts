/**
 * A directory that is held open (Linux). Its entries are reached through the descriptor, so swapping its name, or a name above it, has no
 * effect.
 */
import { constants } from 'node:fs'
import { type FileHandle, mkdir, open, stat } from 'node:fs/promises'
import type { Directory } from './directory.ts'

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants

/** Opens the directory. Returns `undefined` if descriptors have no paths, that is, on systems other than Linux or without `/proc`. */
export async function holdDirectory(path: string): Promise<Directory | undefined> {
  if (process.platform !== 'linux') return undefined
  const directory = new HeldDirectory(await open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW))
  if (await directory.hasPath()) return directory
  await directory.close()
  return undefined
}

class HeldDirectory implements Directory {
  readonly #handle: FileHandle

  constructor(handle: FileHandle) {
    this.#handle = handle
  }

  pathOf(name: string): string {
    return `/proc/self/fd/${this.#handle.fd}/${name}`
  }

  async child(name: string): Promise<Directory> {
    return new HeldDirectory(await open(this.pathOf(name), O_RDONLY | O_DIRECTORY | O_NOFOLLOW))
  }

  async make(name: string): Promise<void> {
    await mkdir(this.pathOf(name))
  }

  async confirm(): Promise<void> {}

  close(): Promise<void> {
    return this.#handle.close()
  }

  async hasPath(): Promise<boolean> {
    const [held, reached] = await Promise.all([this.#handle.stat(), stat(this.pathOf('.')).catch(() => undefined)])
    return held.dev === reached?.dev && held.ino === reached.ino
  }
}
