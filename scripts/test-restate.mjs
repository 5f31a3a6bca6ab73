/** Installs the Restate server, which isn't a dependency of the repository, and runs the Restate engine's tests against it. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const VERSION = '1.7.12'

const root = resolve(import.meta.dirname, '..')
const options = { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' }
const server = process.env.X_RESTATE_SERVER ?? install()
const env = { ...process.env, X_RESTATE_SERVER: server }
const args = process.argv.slice(2)
const paths = args.length > 0 ? args : ['packages/durable/src/restate', 'packages/code/src/killed.server']
try {
  execFileSync('npx', ['vitest', 'run', ...paths], { ...options, env })
} catch (cause) {
  process.exit(cause.status ?? 1)
}

/** Installs the server without running install scripts, and returns the path of its program. The server's licence is the BSL 1.1. */
function install() {
  const folder = join(root, 'node_modules/.cache/restate', VERSION)
  const platform = `restate-server-${process.platform}-${process.arch}`
  const program = join(folder, 'node_modules/@restatedev', platform, 'bin/restate-server')
  if (!existsSync(program)) {
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'package.json'), '{ "private": true }\n')
    console.log(`Installing @restatedev/restate-server@${VERSION} (230 MB) in node_modules/.cache.`)
    const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error']
    execFileSync('npm', ['install', ...flags, `@restatedev/restate-server@${VERSION}`], { ...options, cwd: folder })
  }
  if (existsSync(program)) return program
  throw new Error(
    `There is no Restate server for ${process.platform} on ${process.arch}. Set X_RESTATE_SERVER to the path of one.`,
  )
}
