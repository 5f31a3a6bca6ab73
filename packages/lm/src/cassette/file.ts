/** Reads and writes cassette files. A cassette is readable JSON. It is always replaced as a whole. */
import { readFileSync } from 'node:fs'
import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { LMError } from '../errors.ts'
import type { Exchange } from './exchange.ts'
import { ExchangeReader, ExchangeWriter, isRecord } from './written-exchange.ts'

const VERSION = 1

/** Writes a cassette. After a crash, the file still contains every exchange whose `add` has resolved. */
export class CassetteFile {
  readonly #file: string
  readonly #writer = new ExchangeWriter()
  /** The JSON text of each exchange, by number. */
  readonly #exchanges = new Map<number, string>()
  #last: Promise<void> = Promise.resolve()
  #next: Promise<void> | undefined
  /** Identifies the version of the file that this object wrote last. */
  #state: string | undefined

  constructor(file: string) {
    this.#file = file
  }

  /** Resolves when the exchange is in the file. Rejects with `invalid_cassette` if the file can't be written. */
  add(number: number, exchange: Exchange): Promise<void> {
    this.#exchanges.set(number, layOut(this.#writer.write(number, exchange), '    '))
    // Exchanges that are added during a write are written together afterwards.
    this.#next ??= this.#last.then(() => {
      this.#next = undefined
      return this.#write()
    })
    const saved = this.#next
    this.#last = saved.catch(() => {})
    return saved
  }

  async #write(): Promise<void> {
    const exchanges = [...this.#exchanges].sort(([a], [b]) => a - b).map(([, text]) => `    ${text}`)
    const text = `{\n  "version": ${VERSION},\n  "exchanges": [\n${exchanges.join(',\n')}\n  ]\n}\n`
    const state = this.#state && (await stateOf(this.#file))
    if (state !== this.#state) throw invalid(`recordLM: another program has changed ${this.#file}. Use a file for each model.`)
    try {
      await mkdir(dirname(this.#file), { recursive: true })
      // A program that was killed may have left a file here, and another user a link.
      await rm(`${this.#file}.new`, { force: true })
      await writeFile(`${this.#file}.new`, text, { flush: true, flag: 'wx' })
      await rename(`${this.#file}.new`, this.#file)
      this.#state = await stateOf(this.#file)
    } catch (cause) {
      throw invalid(`recordLM: ${this.#file} can't be written: ${wordsOf(cause)}`, cause)
    }
  }
}

async function stateOf(file: string): Promise<string> {
  const { ino, size, mtimeMs } = await stat(file).catch(() => ({ ino: 0, size: 0, mtimeMs: 0 }))
  return [ino, size, mtimeMs].join(' ')
}

/** Reads a cassette. Throws `invalid_cassette` if the file doesn't exist, is incomplete, or has another version. */
export function readCassette(file: string): readonly Exchange[] {
  const data = readJson(file)
  if (!isRecord(data) || !Array.isArray(data.exchanges)) throw unreadable(file, "isn't a cassette: it has no list `exchanges`.")
  if (data.version !== VERSION)
    throw unreadable(file, `has version ${String(JSON.stringify(data.version))}, and this release reads version ${VERSION}.`)
  const reader = new ExchangeReader()
  return data.exchanges.map((written: unknown, index) => {
    const exchange = reader.read(written)
    if (exchange === undefined) throw unreadable(file, `isn't a valid cassette: \`exchanges[${index}]\` is incomplete.`)
    return exchange
  })
}

function readJson(file: string): unknown {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (cause) {
    throw unreadable(file, `can't be read: ${wordsOf(cause)}.`, cause)
  }
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw unreadable(file, `isn't complete JSON: ${wordsOf(cause)}.`, cause)
  }
}

function unreadable(file: string, fault: string, cause?: unknown): LMError {
  return invalid(`replayLM: ${file} ${fault} Record it with recordLM(lm, file).`, cause)
}

function invalid(message: string, cause?: unknown): LMError {
  return new LMError('invalid_cassette', message, { cause })
}

function wordsOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}

/** Maximum number of characters in an object or list that is written on one line. */
const LINE = 120

/** Formats JSON. Short objects and lists stay on one line. */
function layOut(value: unknown, indent: string): string {
  const line = JSON.stringify(value)
  if (line.length + indent.length <= LINE || typeof value !== 'object' || value === null) return line
  const inner = `${indent}  `
  if (Array.isArray(value)) return `[\n${value.map((item) => inner + layOut(item, inner)).join(',\n')}\n${indent}]`
  const lines = Object.entries(value).map(([name, item]) => `${inner}${JSON.stringify(name)}: ${layOut(item, inner)}`)
  return `{\n${lines.join(',\n')}\n${indent}}`
}
