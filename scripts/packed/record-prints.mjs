/** Runs before an example: records what each line of it prints. */
import { writeFileSync } from 'node:fs'
import { format } from 'node:util'

const prints = []
const { log } = console
console.log = (...values) => {
  const [, line] = /main\.ts:(\d+)/.exec(new Error().stack) ?? []
  prints.push({ line: Number(line), text: format(...values) })
  log(...values)
}
process.on('exit', () => writeFileSync(process.env.X_PRINTS, JSON.stringify(prints)))
