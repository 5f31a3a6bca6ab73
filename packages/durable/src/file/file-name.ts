/** The file name of a run's journal. */
import { createHash } from 'node:crypto'
import { isRunId } from '../engine/run-errors.ts'

const ENDING = '.journal'
/** Maximum length of a name. File systems allow 255 bytes, and suffixes are added. */
const LONGEST = 200
/** Prefix of a hashed name. An encoded name can't start with it, because there `%` is always followed by two hex digits. */
const HASHED = '%%'

/** Encodes capitals, because some file systems ignore case, and colons, which Windows refuses. A name that is too long is hashed. */
export function toFile(id: string): string {
  const name = id.replace(/[A-Z:%]|^\.|\.$/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`)
  if (name.length <= LONGEST) return `${name}${ENDING}`
  return `${HASHED}${createHash('sha256').update(id).digest('hex')}${ENDING}`
}

/** Returns `hashed` if only the journal contains the id, or undefined for a file that doesn't belong to a run. */
export function toId(file: string): { readonly id: string } | 'hashed' | undefined {
  if (!file.endsWith(ENDING)) return undefined
  const name = file.slice(0, -ENDING.length)
  if (/^%%[0-9a-f]{64}$/.test(name)) return 'hashed'
  const id = name.replace(/%([0-9a-f]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
  return isRunId(id) && toFile(id) === file ? { id } : undefined
}
