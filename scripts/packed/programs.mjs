/** Runs the programs of a page, and compares what they print with the expected output in their comments. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { findWrongPrints } from './prints.mjs'

const HOOKS = ['provider', 'record-prints'].flatMap((file) => [
  '--import',
  pathToFileURL(join(import.meta.dirname, `${file}.mjs`)).href,
])

/**
 * @param run Runs Node with `hooks`, then the program `file`, in the environment `env`. Throws if it fails.
 * @returns One line for each output that differs from its comment.
 */
export function runPrograms({ examples, commands, folder, run }) {
  const log = join(folder, 'prints.json')
  return commands.flatMap(({ file, output }) => {
    run({ file, hooks: HOOKS, env: { X_PRINTS: log, X_PROGRAM: file, ANTHROPIC_API_KEY: 'none' } })
    const wrong = findWrongPrints(examples.get(file), JSON.parse(readFileSync(log, 'utf8')), output)
    return wrong.map((print) => `An example's output differs from its comment: ${print}`)
  })
}
