/** Runs a suite: parses the command line, prints one report and returns an exit code. */
import { resolve } from 'node:path'
import { inspect, parseArgs } from 'node:util'
import { nearestNames } from '@x/tool-core'
import { corpusPath } from '../corpora.ts'
import { toJsonReport, toTextReport } from './report.ts'
import { CorpusError, type Suite } from './suite.ts'
import { LATER } from './suites.ts'

export interface ConformanceOptions {
  readonly suites: readonly Suite[]
  out(text: string): void
  err(text: string): void
}

/** Returns 0 if all cases passed, 1 if some failed, and 2 if the suite couldn't run. */
export async function conformance(words: readonly string[], { suites, out, err }: ConformanceOptions): Promise<0 | 1 | 2> {
  try {
    const command = parseCommand(words, suites)
    if (command === undefined) {
      out(helpFor(suites))
      return 0
    }
    const { suite, corpus, json } = command
    const result = await suite.run(corpus)
    out(json ? toJsonReport(suite.name, corpus, result) : toTextReport(suite.name, corpus, result))
    return result.failed === 0 ? 0 : 1
  } catch (error) {
    // An unexpected error doesn't mean that a case failed, so the exit code is 2 then too.
    const isForeseen = error instanceof UsageError || error instanceof CorpusError
    err(`${isForeseen ? error.message : inspect(error)}\n`)
    return 2
  }
}

/** An invalid command line. */
class UsageError extends Error {}

function parseCommand(words: readonly string[], suites: readonly Suite[]) {
  const { values, positionals, tokens } = parseArgs({
    args: [...words],
    options: OPTIONS,
    allowPositionals: true,
    strict: false,
    tokens: true,
  })
  for (const token of tokens) {
    if (token.kind === 'option' && !Object.hasOwn(OPTIONS, token.name))
      throw new UsageError(unknown('option', token.rawName, Object.keys(OPTIONS), '--'))
  }
  if (values.help !== undefined) return undefined
  const [name, ...rest] = positionals
  const names = suites.map((suite) => suite.name)
  if (name === undefined) throw new UsageError(`${USAGE} Suites: ${names.join(', ')}.`)
  if (rest.length > 0) throw new UsageError(`Unexpected arguments after the suite: "${rest.join(' ')}". ${USAGE}`)
  const suite = suites.find((candidate) => candidate.name === name)
  if (suite === undefined && LATER.includes(name))
    throw new UsageError(`The suite "${name}" cannot run yet. Available: ${names.join(', ')}.`)
  if (suite === undefined) throw new UsageError(unknown('suite', name, [...names, ...LATER]))
  if (values.corpus === true || values.corpus === '') throw new UsageError(`--corpus needs a directory. ${USAGE}`)
  const corpus = typeof values.corpus === 'string' ? resolve(values.corpus) : corpusPath(suite.folder)
  return { suite, corpus, json: values.json !== undefined }
}

function helpFor(suites: readonly Suite[]): string {
  const names = suites.map(({ name }) => name).join(', ')
  return `${USAGE}\nSuites: ${names}. Default for DIR: the suite's directory in X_CORPORA.\nExit codes: 0 all cases passed, 1 some failed, 2 the suite could not run.\n`
}

const USAGE = 'Usage: pnpm conformance <suite> [--corpus DIR] [--json].'
const OPTIONS = { corpus: { type: 'string' }, json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } as const

function unknown(what: string, name: string, known: readonly string[], dashes = ''): string {
  const [nearest] = nearestNames(name, known, 1)
  const way =
    nearest === undefined ? `Available: ${known.map((each) => dashes + each).join(', ')}.` : `Did you mean "${dashes}${nearest}"?`
  return `Unknown ${what} "${name}". ${way}`
}
