/** Converts run ids to the file names of their journals. */
import { createHash } from 'node:crypto'
import { isRunId } from '../engine/run-errors.ts'

const ENDING = '.journal'
/** Maximum length of a name. File systems allow 255 bytes, and a suffix is added. */
const LONGEST = 200
/** Prefix of a hashed name. In an encoded name, two hex digits follow each `%`, so it can't start like this. */
const HASHED = '%%'

/**
 * Returns the file name for an id. Encodes capitals, because some file systems ignore case, and colons, which Windows doesn't
 * allow. Hashes a name that is too long.
 */
export function toFile(id: string): string {
  const name = id.replace(/[A-Z:%]|^\.|\.$/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`)
  if (name.length <= LONGEST) return `${name}${ENDING}`
  return `${HASHED}${createHash('sha256').update(id).digest('hex')}${ENDING}`
}

/**
 * Returns the id for a file name. Returns `hashed` if only the journal contains the id, and undefined for a file that isn't a
 * run's journal.
 */
export function toId(file: string): { readonly id: string } | 'hashed' | undefined {
  if (!file.endsWith(ENDING)) return undefined
  const name = file.slice(0, -ENDING.length)
  if (/^%%[0-9a-f]{64}$/.test(name)) return 'hashed'
  const id = name.replace(/%([0-9a-f]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
  return isRunId(id) && toFile(id) === file ? { id } : undefined
}
