/** Names of a directory as the file system holds them: bytes, which on Linux need not be valid UTF-8. */
import { opendir } from 'node:fs/promises'
import type { Directory } from './directory.ts'

/** A name that text can be made of leads back to the same entry; another one is reached by its bytes alone. */
export interface RawName {
  /** What is not valid UTF-8 is shown as U+FFFD. */
  readonly name: string
  /** Only of a name that is not valid UTF-8. */
  readonly bytes?: Buffer | undefined
}

export async function* rawNamesOf(directory: Directory): AsyncGenerator<RawName> {
  // The types of Node do not know that it takes `buffer` here, as it does for `readdir`.
  const options = { encoding: 'buffer' as BufferEncoding, bufferSize: 256 }
  for await (const entry of await opendir(directory.pathOf('.'), options)) {
    const bytes = entry.name as unknown as Buffer
    const name = bytes.toString()
    yield name.includes('\ufffd') && !bytes.equals(Buffer.from(name)) ? { name, bytes } : { name }
  }
}

/** What to hand to `node:fs`. */
export function pathOf(directory: Directory, { name, bytes }: RawName): string | Buffer {
  return bytes === undefined ? directory.pathOf(name) : Buffer.concat([Buffer.from(`${directory.pathOf('.')}/`), bytes])
}
