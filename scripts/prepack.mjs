/** Runs in a package's directory before it is packed. Fails if a file in its `exports` has not been built. */
import { existsSync, readFileSync } from 'node:fs'

const { name, exports } = JSON.parse(readFileSync('package.json', 'utf8'))
const named = Object.values(exports).flatMap((entry) => (typeof entry === 'string' ? [entry] : [entry.types, entry.default]))
const missing = named.filter((file) => !existsSync(file))
if (missing.length > 0) {
  console.error(
    `${name} has not been built completely. These files are missing: ${missing.join(', ')}. Run "pnpm build" in the repository root first.`,
  )
  process.exit(1)
}
