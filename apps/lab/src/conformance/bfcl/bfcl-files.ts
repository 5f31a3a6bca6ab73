/** Reads the files of a BFCL directory: the cases, the functions that they refer to, and the checker. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { assertCase } from '../read-cases.ts'
import { CorpusError } from '../suite.ts'
import type { BFCLCase, BFCLChecker, BFCLFunction } from './bfcl-case.ts'

const CHECKER = 'bfcl-check.mjs'
const FUNCTIONS = 'tools.json'

/** Returns an empty list if the directory doesn't contain BFCL. */
export function readBFCLCases(corpus: string): readonly BFCLCase[] {
  if (!existsSync(join(corpus, FUNCTIONS))) return []
  const files = readdirSync(corpus).filter((file) => /^cases.*\.jsonl$/.test(file))
  return files.flatMap((file) => {
    const path = join(corpus, file)
    const lines = readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => line.trim() !== '')
    return lines.map((line) => assertCase<BFCLCase>(JSON.parse(line), ['category', 'expect', 'question', 'tools'], path))
  })
}

export function readBFCLFunctions(corpus: string): ReadonlyMap<string, BFCLFunction> {
  const path = join(corpus, FUNCTIONS)
  if (!existsSync(path)) throw new CorpusError(`There is no ${path}, which must contain the functions of the cases.`)
  const list = JSON.parse(readFileSync(path, 'utf8')) as readonly BFCLFunction[]
  return new Map(list.map((one) => [one.id, one]))
}

export async function importBFCLChecker(corpus: string): Promise<BFCLChecker> {
  return (await import(pathToFileURL(join(corpus, CHECKER)).href)) as BFCLChecker
}
