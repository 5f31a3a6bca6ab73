/** Reads the JSON files of a corpus. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { CorpusError } from './suite.ts'

export interface JsonFile {
  /** File name without directory and extension. */
  readonly name: string
  readonly path: string
  readonly json: unknown
}

/** Reads the files, sorted by name. Returns an empty list if the directory doesn't exist. */
export function readJsonFiles(folder: string): readonly JsonFile[] {
  if (!isFolder(folder)) return []
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'))
  return files
    .sort()
    .map((file) => ({ name: file.slice(0, -'.json'.length), path: join(folder, file), json: readJson(join(folder, file)) }))
}

export function readFolders(folder: string): readonly string[] {
  if (!isFolder(folder)) return []
  const entries = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  return entries.map(({ name }) => join(folder, name)).sort()
}

/** Throws `CorpusError` unless the item has an id and the suite's required keys. */
export function assertCase<Case>(json: unknown, keys: readonly (keyof Case & string)[], path: string): Case {
  const isWhole = typeof json === 'object' && json !== null && ['id', ...keys].every((key) => key in json)
  if (!isWhole)
    throw new CorpusError(`${path} contains an item that is not a case. Every case must have ${['id', ...keys].join(', ')}.`)
  return json as Case
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (cause) {
    throw new CorpusError(`${path} is not JSON: ${(cause as Error).message}`, { cause })
  }
}
