/** Reads the names of directory entries as bytes, because a name on Linux may be invalid UTF-8. */
import { opendir } from 'node:fs/promises'
import type { Directory } from './directory.ts'

/** The name of an entry. A name in valid UTF-8 identifies the entry. Any other entry can be reached only by the bytes of its name. */
export interface RawName {
  /** The name as text. Invalid UTF-8 is shown as U+FFFD. */
  readonly name: string
  /** The bytes of the name. Set only if the name isn't valid UTF-8. */
  readonly bytes?: Buffer | undefined
}

export async function* rawNamesOf(directory: Directory): AsyncGenerator<RawName> {
  // As in `readdir`, Node accepts `buffer` here, but its types don't include it.
  const options = { encoding: 'buffer' as BufferEncoding, bufferSize: 256 }
  for await (const entry of await opendir(directory.pathOf('.'), options)) {
    const bytes = entry.name as unknown as Buffer
    const name = bytes.toString()
    yield name.includes('\ufffd') && !bytes.equals(Buffer.from(name)) ? { name, bytes } : { name }
  }
}

/** Returns the path of an entry for `node:fs`. */
export function pathOf(directory: Directory, { name, bytes }: RawName): string | Buffer {
  return bytes === undefined ? directory.pathOf(name) : Buffer.concat([Buffer.from(`${directory.pathOf('.')}/`), bytes])
}
