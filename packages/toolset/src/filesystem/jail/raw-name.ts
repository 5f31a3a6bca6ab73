/** Directory entries as the file system stores their names: bytes, which on Linux need not be valid UTF-8. */
import { opendir } from 'node:fs/promises'
import type { Directory } from './directory.ts'

/** A name in valid UTF-8 identifies its entry. An entry with any other name can only be reached by its bytes. */
export interface RawName {
  /** The name as text, with U+FFFD for invalid UTF-8. */
  readonly name: string
  /** Set only for a name that isn't valid UTF-8. */
  readonly bytes?: Buffer | undefined
}

export async function* rawNamesOf(directory: Directory): AsyncGenerator<RawName> {
  // Node accepts `buffer` here, as in `readdir`, but its types omit it.
  const options = { encoding: 'buffer' as BufferEncoding, bufferSize: 256 }
  for await (const entry of await opendir(directory.pathOf('.'), options)) {
    const bytes = entry.name as unknown as Buffer
    const name = bytes.toString()
    yield name.includes('\ufffd') && !bytes.equals(Buffer.from(name)) ? { name, bytes } : { name }
  }
}

/** Returns the path for `node:fs`. */
export function pathOf(directory: Directory, { name, bytes }: RawName): string | Buffer {
  return bytes === undefined ? directory.pathOf(name) : Buffer.concat([Buffer.from(`${directory.pathOf('.')}/`), bytes])
}
