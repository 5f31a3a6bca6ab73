/** Reads the sets of tools and questions for the `retrieval` suite. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { assertCase, readFolders } from '../read-cases.ts'
import { CorpusError } from '../suite.ts'

export interface RetrievalSet {
  readonly name: string
  /** The tools, with unique names. */
  readonly tools: readonly RetrievalTool[]
  readonly questions: readonly Question[]
}

export interface RetrievalTool {
  readonly name: string
  readonly description: string
  readonly parameters?: object
  /** The tool's category. */
  readonly field?: string
}

export interface Question {
  readonly id: string
  readonly text: string
  /** Names of the needed tools. */
  readonly needed: ReadonlySet<string>
}

/** Reads the sets in the directory, or those in its subdirectories if the directory itself contains none. */
export function readRetrievalSets(corpus: string): readonly RetrievalSet[] {
  const here = readSets(corpus)
  return here.length > 0 ? here : readFolders(corpus).flatMap(readSets)
}

function readSets(folder: string): readonly RetrievalSet[] {
  if (!existsSync(folder)) return []
  const files = readdirSync(folder).sort()
  const sets = files.flatMap((file) => {
    if (file === 'tools.json') return readSet('bfcl', folder, file, files.filter(isCases), readCase)
    if (!file.endsWith(ENDING)) return []
    const name = file.slice(0, -ENDING.length)
    return readSet(name, folder, file, files.filter(isQueriesOf(name)), readQuery)
  })
  return sets.filter(({ questions }) => questions.length > 0)
}

const ENDING = '-tools.json'
const isCases = (file: string) => file.startsWith('cases') && file.endsWith('.jsonl')
const isQueriesOf = (name: string) => (file: string) => file.startsWith(`${name}-queries`) && file.endsWith('.jsonl')

function readSet(
  name: string,
  folder: string,
  toolsFile: string,
  questionFiles: readonly string[],
  read: (line: unknown, path: string) => readonly Question[],
): readonly RetrievalSet[] {
  const byName = new Map<string, RetrievalTool>()
  // If several tools have the same name, the first one is used.
  for (const tool of readTools(join(folder, toolsFile))) if (!byName.has(tool.name)) byName.set(tool.name, tool)
  const questions = questionFiles.flatMap((file) => {
    const path = join(folder, file)
    return readLines(path).flatMap((line) => read(line, path))
  })
  return [{ name, tools: [...byName.values()], questions }]
}

function readTools(path: string): readonly RetrievalTool[] {
  const list = parse(readFileSync(path, 'utf8'), path)
  if (!Array.isArray(list)) throw new CorpusError(`${path} is not a list of tools.`)
  return list as readonly RetrievalTool[]
}

function readLines(path: string): readonly unknown[] {
  const lines = readFileSync(path, 'utf8').split('\n')
  return lines.filter((line) => line.trim() !== '').map((line) => parse(line, path))
}

function parse(text: string, path: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new CorpusError(`${path} is not JSON: ${(cause as Error).message}`, { cause })
  }
}

/** Categories in which the expected answer is a list of calls to Python functions. */
const CATEGORIES: ReadonlySet<string> = new Set([
  'simple_python',
  'multiple',
  'parallel',
  'parallel_multiple',
  'live_simple',
  'live_multiple',
  'live_parallel',
  'live_parallel_multiple',
])

function readCase(line: unknown, path: string): readonly Question[] {
  type Case = {
    id: string
    category: string
    expect: string
    question: string
    ground_truth?: readonly { readonly name: string }[]
  }
  const {
    id,
    category,
    expect,
    question,
    ground_truth: truth = [],
  } = assertCase<Case>(line, ['category', 'expect', 'question'], path)
  if (expect !== 'calls' || !CATEGORIES.has(category)) return []
  return [{ id, text: question, needed: new Set(truth.map(({ name }) => name)) }]
}

function readQuery(line: unknown, path: string): readonly Question[] {
  const { id, query, tools } = assertCase<{ id: string; query: string; tools: readonly string[] }>(line, ['query', 'tools'], path)
  return [{ id, text: query, needed: new Set(tools) }]
}
