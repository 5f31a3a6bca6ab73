/** Entry point of `pnpm conformance`. */
import { conformance } from './conformance.ts'
import { SUITES } from './suites.ts'

process.exitCode = await conformance(process.argv.slice(2), {
  suites: SUITES,
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
})
