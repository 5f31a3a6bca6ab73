/** What the file of a run is called. */
import { createHash } from 'node:crypto'
import { isRunId } from '../engine/run-errors.ts'

const ENDING = '.journal'
/** Of a name. File systems take 255 bytes, and more is put behind it. */
const LONGEST = 200
/** No other name has it: behind a `%` come two digits. */
const HASHED = '%%'

/** Not every file system tells `A` from `a`, and none of Windows takes a colon. A name that would be too long is a hash. */
export function toFile(id: string): string {
  const name = id.replace(/[A-Z:%]|^\.|\.$/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`)
  if (name.length <= LONGEST) return `${name}${ENDING}`
  return `${HASHED}${createHash('sha256').update(id).digest('hex')}${ENDING}`
}

/** `hashed` where the journal alone knows the id; undefined for a file that is none of a run. */
export function toId(file: string): { readonly id: string } | 'hashed' | undefined {
  if (!file.endsWith(ENDING)) return undefined
  const name = file.slice(0, -ENDING.length)
  if (/^%%[0-9a-f]{64}$/.test(name)) return 'hashed'
  const id = name.replace(/%([0-9a-f]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
  return isRunId(id) && toFile(id) === file ? { id } : undefined
}
