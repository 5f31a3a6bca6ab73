/**
 * Runs in a package's directory before the package is packed. Fails if a file in its `exports` has not been built. A release must also have
 * a `repository`, because npm resolves the README's relative links against it.
 */
import { existsSync, readFileSync } from 'node:fs'

const { name, version = '0.0.0', exports, repository } = JSON.parse(readFileSync('package.json', 'utf8'))
const named = Object.values(exports).flatMap((entry) => (typeof entry === 'string' ? [entry] : [entry.types, entry.default]))
const missing = named.filter((file) => !existsSync(file))
if (missing.length > 0) {
  console.error(
    `${name} has not been built completely. These files are missing: ${missing.join(', ')}. Run "pnpm build" in the repository root first.`,
  )
  process.exit(1)
}
if (version !== '0.0.0' && repository === undefined) {
  console.error(
    `${name} ${version} has no \`repository\`, so the relative links in its README don't work on npm. Add { "type": "git", "url": …, "directory": … } to package.json.`,
  )
  process.exit(1)
}
