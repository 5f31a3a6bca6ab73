/** Writes a text file: creates, replaces or appends. */
import { assertSize, type ReadLimits, readWhole, withFile } from './file.ts'
import type { Entry, Jail } from './jail.ts'
import type { Place } from './path.ts'
import { lstatOrNothing, putFile } from './put.ts'
import { encodeText } from './text.ts'

export type WriteMode = 'create' | 'replace' | 'append'

export interface WriteOptions {
  readonly mode: WriteMode
  /** Of the whole file as it is after the call. */
  readonly maxBytes: number
  readonly signal: AbortSignal
}

export interface Written {
  readonly path: string
  /** Of the whole file as it is now, in bytes. */
  readonly size: number
  /** False when there was a file before. */
  readonly created: boolean
}

export async function writeText(jail: Jail, place: Place, text: string, options: WriteOptions): Promise<Written> {
  const { mode, maxBytes, signal } = options
  const added = encodeText(text, place.given)
  assertSize(added.length, place.given, maxBytes)
  const write = async (target: Entry) => {
    const earlier = mode === 'append' ? await earlierOf(jail, target, options) : undefined
    const bytes = earlier === undefined ? added : Buffer.concat([earlier, added])
    assertSize(bytes.length, place.given, maxBytes)
    const overwrite = mode === 'replace' || earlier !== undefined
    const created = await putFile(jail, target, { overwrite, signal }, (handle) => handle.writeFile(bytes))
    return { path: place.path, size: bytes.length, created }
  }
  return jail.within(place, write, true)
}

/** Appending writes the file anew too: a writer who is killed leaves the old content, and no link elsewhere is written through. */
async function earlierOf(jail: Jail, target: Entry, limits: ReadLimits): Promise<Buffer | undefined> {
  if ((await lstatOrNothing(jail, target)) === undefined) return undefined
  return withFile(jail, target, (file) => readWhole(file, target.given, limits))
}
