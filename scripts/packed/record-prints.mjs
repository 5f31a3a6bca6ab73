/** Preloaded before an example. Records what each line of the example's file, `X_PROGRAM`, prints. */
import { writeFileSync } from 'node:fs'
import { format } from 'node:util'

const prints = []
const place = new RegExp(`${process.env.X_PROGRAM.replace('.', '\\.')}:(\\d+)`)
const { log } = console
console.log = (...values) => {
  const [, line] = place.exec(new Error().stack) ?? []
  prints.push({ line: Number(line), text: format(...values) })
  log(...values)
}
process.on('exit', () => writeFileSync(process.env.X_PRINTS, JSON.stringify(prints)))
