/**
 * Runs before a package is packed, in its folder. Fails if a file that its exports name was not built, or if a release has no `repository`: npm
 * resolves the relative links of a README against it.
 */
import { existsSync, readFileSync } from 'node:fs'

const { name, version = '0.0.0', exports, repository } = JSON.parse(readFileSync('package.json', 'utf8'))
const named = Object.values(exports).flatMap((entry) => (typeof entry === 'string' ? [entry] : [entry.types, entry.default]))
const missing = named.filter((file) => !existsSync(file))
if (missing.length > 0) {
  console.error(`${name} is not built with its types: ${missing.join(', ')} missing. Run pnpm build in the root first.`)
  process.exit(1)
}
if (version !== '0.0.0' && repository === undefined) {
  console.error(
    `${name} ${version} has no \`repository\`, so the links of its README lead nowhere on npm. Add { "type": "git", "url": …, "directory": … } to package.json.`,
  )
  process.exit(1)
}
