/** Reads a JSON list of tool descriptions. */
import { readFile, stat } from 'node:fs/promises'
import { sealToolsFile } from '../corpora.ts'
import { UsageError } from '../failure.ts'

/** A tool as a data set describes it. The name may be invalid, and the parameters may use any notation. */
export interface ToolDocument {
  readonly name: string
  readonly description: string
  readonly parameters: Readonly<Record<string, unknown>>
  readonly category?: string | undefined
}

/** Reads the file. Default: Seal-Tools in the corpora. Throws {@link UsageError} with the problem and its location. */
export async function readDocuments(file?: string, environment?: NodeJS.ProcessEnv): Promise<readonly ToolDocument[]> {
  const path = file ?? sealToolsFile(environment)
  const size = await sizeOf(path)
  if (size === undefined && file === undefined)
    throw new UsageError(`There are no tools to search: ${path} doesn't exist. ${WAY}`)
  if (size === undefined) throw new UsageError(`--tools: ${path} doesn't exist or isn't a file.`)
  if (size > MAX_BYTES) throw new UsageError(`--tools: ${path} is larger than ${MAX_BYTES / 1024 / 1024} MiB.`)
  const list = parse(await readFile(path, 'utf8').catch(refuse(path)), path)
  if (!Array.isArray(list) || list.length === 0) throw new UsageError(`--tools: ${path} isn't a list of tools. ${FORM}`)
  return list.map((item: unknown, index) => toDocument(item, `--tools: item ${index + 1} of ${path}`))
}

const MAX_BYTES = 64 * 1024 * 1024
const FORM = 'Write [{ "name": …, "description": …, "parameters": { "properties": … } }].'
const WAY =
  'Set X_CORPORA to the directory of the corpora, or pass a JSON list of { name, description, parameters } with --tools <file>.'

/** Returns the size of a regular file in bytes. Returns undefined for anything else, because a pipe or a device may never end. */
async function sizeOf(path: string): Promise<number | undefined> {
  const found = await stat(path).catch(() => undefined)
  return found?.isFile() ? found.size : undefined
}

function refuse(path: string): (failure: Error) => never {
  return ({ message }) => {
    throw new UsageError(`--tools: ${path} can't be read: ${message}`)
  }
}

function parse(text: string, path: string): unknown {
  try {
    return JSON.parse(text)
  } catch (failure) {
    throw new UsageError(`--tools: ${path} is not JSON: ${(failure as Error).message}`)
  }
}

function toDocument(item: unknown, where: string): ToolDocument {
  if (!isRecord(item)) throw new UsageError(`${where} isn't an object. ${FORM}`)
  const { name, description, parameters = {}, category = item.field } = item
  if (!isText(name)) throw new UsageError(`${where} has no name. ${FORM}`)
  if (!isText(description)) throw new UsageError(`${where} has no description. ${FORM}`)
  if (!isRecord(parameters)) throw new UsageError(`${where} has parameters that aren't an object. ${FORM}`)
  return { name, description, parameters, category: isText(category) ? category : undefined }
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== ''
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
