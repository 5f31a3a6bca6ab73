/** Runs before a package is packed, in its folder: fails when a file that its exports name was not built. */
import { existsSync, readFileSync } from 'node:fs'

const { name, exports } = JSON.parse(readFileSync('package.json', 'utf8'))
const named = Object.values(exports).flatMap((entry) => (typeof entry === 'string' ? [entry] : [entry.types, entry.default]))
const missing = named.filter((file) => !existsSync(file))
if (missing.length > 0) {
  console.error(`${name} is not built with its types: ${missing.join(', ')} missing. Run pnpm build in the root first.`)
  process.exit(1)
}
