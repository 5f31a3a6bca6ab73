/**
 * A directory that is kept open, on Linux. Its entries are reached through the descriptor, so it doesn't matter if the directory, or one
 * above it, is renamed or replaced.
 */
import { constants } from 'node:fs'
import { type FileHandle, mkdir, open, stat } from 'node:fs/promises'
import type { Directory } from './directory.ts'

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants

/** Opens a directory. Returns undefined if descriptors have no paths, which is the case without `/proc` and on systems other than Linux. */
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
