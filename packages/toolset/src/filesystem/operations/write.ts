/** Writes a text file: creates, replaces or appends. */
import type { BigIntStats } from 'node:fs'
import { isToolError } from '@x/tool-core'
import { about } from '../errors.ts'
import { assertSize, type ReadLimits, readWhole, withFile } from '../jail/file.ts'
import type { Entry, Jail } from '../jail/jail.ts'
import type { Place } from '../path.ts'
import { lstatOrNothing, putFile } from './put.ts'
import { encodeText } from './text.ts'

export type WriteMode = 'create' | 'replace' | 'append'

export interface WriteOptions {
  readonly mode: WriteMode
  /** Maximum size of the file after the call. */
  readonly maxBytes: number
  readonly signal: AbortSignal
}

export interface Written {
  readonly path: string
  /** Size of the file after the call, in bytes. */
  readonly size: number
  /** False if the file existed before. */
  readonly created: boolean
}

/** Maximum number of attempts to append to a file that changes between reading and writing. */
const ATTEMPTS = 30

export async function writeText(jail: Jail, place: Place, text: string, options: WriteOptions): Promise<Written> {
  const { mode, maxBytes, signal } = options
  const added = encodeText(text, place.given)
  assertSize(added.length, place.given, maxBytes)
  const write = async (target: Entry) => {
    const earlier = mode === 'append' ? await earlierOf(jail, target, options) : undefined
    const bytes = earlier === undefined ? added : Buffer.concat([earlier.bytes, added])
    assertSize(bytes.length, place.given, maxBytes)
    const put = { overwrite: mode === 'replace' || earlier !== undefined, basis: earlier?.basis, signal }
    const created = await putFile(jail, target, put, (handle) => handle.writeFile(bytes))
    return { path: place.path, size: bytes.length, created }
  }
  return jail.within(place, mode === 'append' ? (target) => anewWhenChanged(target, write) : write, true)
}

/** Writes a file, and starts over if another process changes, creates or deletes it in the meantime. */
async function anewWhenChanged<T>(target: Entry, write: (target: Entry) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await about(target.given, () => write(target))
    } catch (error) {
      if (attempt === ATTEMPTS || !isToolError(error) || !CHANGED.has(error.reason)) throw error
    }
  }
}

const CHANGED: ReadonlySet<string | undefined> = new Set(['busy', 'already_exists', 'not_found'])

interface Earlier {
  readonly bytes: Buffer
  readonly basis: BigIntStats
}

/**
 * Returns the file's content before the call. An append rewrites the whole file, so the old content remains if the process is killed. Hard
 * links to the old file also keep the old content.
 */
async function earlierOf(jail: Jail, target: Entry, limits: ReadLimits): Promise<Earlier | undefined> {
  if ((await lstatOrNothing(jail, target)) === undefined) return undefined
  return withFile(jail, target, async (file) => {
    // Read before the content, so that a write during the read counts as a change.
    const basis = await file.handle.stat({ bigint: true })
    return { basis, bytes: await readWhole(file, target.given, limits) }
  })
}
