/** Where the journals of runs lie: those that go on in the folder itself, those that are over in `ended`. */
import { mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { DurableError } from '../errors.ts'
import { readJournal } from '../journal/read-journal.ts'
import { type RunRecords, toRunRecords } from './run-records.ts'

const ENDING = '.journal'

export interface RunFolder {
  /** Of a run that goes on. */
  pathOf(id: string): string
  /** Undefined when there is none, or nothing is recorded in it. */
  read(id: string): Promise<RunRecords | undefined>
  /** Another one when the journal was written to; undefined when there is none, of a run that goes on. */
  stampOf(id: string): Promise<string | undefined>
  /** Removes the journal of a run that was never begun. */
  forget(id: string): Promise<void>
  /** Puts the journal of a run that is over, and that nobody has open, with the others. */
  putAway(id: string): Promise<void>
  idsOfOpen(): Promise<readonly string[]>
  /** Of those that are over too. */
  ids(): Promise<readonly string[]>
}

export async function openFolder(folder: string): Promise<RunFolder> {
  const over = join(folder, 'ended')
  await mkdir(over, { recursive: true, mode: 0o700 }).catch((cause) => {
    throw new DurableError('cannot_open', `The folder of the runs cannot be made (${codeOf(cause)}).`, { cause })
  })
  const readFrom = async (path: string) => {
    const bytes = await readFile(path).catch((cause) => {
      if (codeOf(cause) === 'ENOENT') return undefined
      throw new DurableError('cannot_open', `The journal of a run cannot be read (${codeOf(cause)}).`, { cause })
    })
    return bytes && toRunRecords(readJournal(bytes, basename(path)).lines)
  }
  const idsIn = async (path: string) =>
    (await readdir(path)).filter((file) => file.endsWith(ENDING)).map((file) => toId(file.slice(0, -ENDING.length)))
  return {
    pathOf: (id) => join(folder, toFile(id)),
    read: async (id) => (await readFrom(join(folder, toFile(id)))) ?? (await readFrom(join(over, toFile(id)))),
    stampOf: async (id) => {
      const found = await stat(join(folder, toFile(id))).catch(() => undefined)
      return found && `${found.mtimeMs} ${found.size}`
    },
    forget: (id) => rm(join(folder, toFile(id)), { force: true }),
    putAway: async (id) => {
      await rename(join(folder, toFile(id)), join(over, toFile(id))).catch((cause) => {
        // Another process was quicker.
        if (codeOf(cause) !== 'ENOENT') throw cause
      })
    },
    idsOfOpen: () => idsIn(folder),
    ids: async () => [...new Set([...(await idsIn(folder)), ...(await idsIn(over))])],
  }
}

/** Not every file system tells `A` from `a`, and none of Windows takes a colon. */
function toFile(id: string): string {
  const name = id.replace(/[A-Z:%]|^\.|\.$/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`)
  return `${name}${ENDING}`
}

function toId(name: string): string {
  return name.replace(/%([0-9a-f]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}

function codeOf(cause: unknown): unknown {
  return (cause as { readonly code?: unknown }).code
}
