/** Runs the README's three commands on a machine that has only Node and npm: installs what a command needs, then runs it. */
import { spawn } from 'node:child_process'
import { existsSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { builtFiles } from './built-files.mjs'
import { pnpm } from './pnpm.mjs'

const root = resolve(import.meta.dirname, '..')
const env = { ...process.env, TURBO_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1', npm_config_loglevel: 'error' }
const INTERRUPTED = 130
const DEMO = ['--filter', 'demo...']

const [command, ...args] = process.argv.slice(2)
const commands = { demo, 'pack-all': packAll, test }
const run = commands[command]
if (run === undefined) {
  console.error(`Unknown command ${JSON.stringify(command)}. Known: ${Object.keys(commands).join(', ')}.`)
  process.exit(2)
}
process.exit(await run())

/** Runs the demo. If something has changed, first installs and builds the demo and its dependencies, and nothing else. */
async function demo() {
  const main = join(root, 'apps/demo/dist/main.js')
  const stamp = join(root, 'apps/demo/dist/.built')
  const started = new Date()
  if (!isBuilt(main) || modifiedAt(stamp) < newestSource()) {
    const code =
      (await installForDemo()) ||
      (await step('Building the demo', pnpm([...DEMO, '--workspace-concurrency=4', 'run', 'build:js'])))
    if (code !== 0) return code
    writeFileSync(stamp, '')
    utimesSync(stamp, started, started)
  }
  return node([main, ...args])
}

/**
 * Installs the demo's dependencies. If all dependencies of the repository are installed, installs all of them again, because pnpm would
 * otherwise remove those that the demo doesn't need.
 */
function installForDemo() {
  const only = existsSync(join(root, 'node_modules/vitest')) ? [] : [...DEMO, '--prod']
  return step('Installing what the demo needs', pnpm([...only, 'install', '--frozen-lockfile']))
}

/** Returns true if the demo's dependencies are installed and all of its packages have been built. */
function isBuilt(main) {
  return [main, join(root, 'apps/demo/node_modules'), ...builtFiles(root)].every((path) => existsSync(path))
}

/** Returns the time of the latest change to the demo's sources, in milliseconds. */
function newestSource() {
  const folders = ['apps/demo', ...readdirSync(join(root, 'packages')).map((name) => `packages/${name}`)]
  const files = folders.flatMap((folder) => [
    `${folder}/package.json`,
    `${folder}/tsup.config.ts`,
    ...filesUnder(`${folder}/src`),
  ])
  return Math.max(
    ...['pnpm-lock.yaml', 'tsup.shared.ts', 'tsconfig.base.json', ...files].map((file) => modifiedAt(join(root, file))),
  )
}

/** Returns the directory and everything in it. Includes directories, because removing a file changes the time of its directory. */
function filesUnder(folder) {
  return [folder, ...readdirSync(join(root, folder), { recursive: true }).map((name) => join(folder, name))]
}

function modifiedAt(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0
}

/** Installs everything, builds the packages and packs them into `tarballs`. */
async function packAll() {
  const packages = ['./packages/*', '!@x/file-owner', '!@x/test-*'].flatMap((name) => ['--filter', name])
  const steps = [
    ['Installing', ['install', '--frozen-lockfile']],
    ['Building the packages', ['exec', 'turbo', 'run', 'build', '--filter=./packages/*', '--output-logs=errors-only']],
    ['Packing the packages into tarballs', [...packages, 'pack', '--pack-destination', join(root, 'tarballs')]],
  ]
  for (const [title, stepArgs] of steps) {
    const code = await step(title, pnpm(stepArgs))
    if (code !== 0) return code
  }
  return 0
}

/** Installs everything and runs all checks. pnpm runs them, so that tools that call pnpm find it on the PATH. */
async function test() {
  const [file, fileArgs] = pnpm(['exec', 'node', 'scripts/check.mjs', '--all', ...args])
  return (await step('Installing', pnpm(['install', '--frozen-lockfile']))) || (await execute(file, fileArgs, 'inherit')).code
}

/** Prints the title of a step, and its output only if it fails. Resolves to the exit code. */
async function step(title, [file, fileArgs]) {
  const started = performance.now()
  process.stderr.write(`▸ ${title} …\n`)
  const { code, output } = await execute(file, fileArgs, 'pipe')
  if (code === 0) process.stderr.write(`  done in ${((performance.now() - started) / 1000).toFixed(1)} s\n`)
  else if (code === INTERRUPTED) process.stderr.write('Stopped.\n')
  else process.stderr.write(`${output}\n✗ ${title} failed: ${file} ${fileArgs.join(' ')}\n`)
  return code
}

async function node(nodeArgs) {
  return (await execute(process.execPath, nodeArgs, 'inherit')).code
}

function execute(file, fileArgs, stdio) {
  const shell = process.platform === 'win32' && file === 'npx'
  return new Promise((settle) => {
    const child = spawn(file, fileArgs, {
      cwd: root,
      env,
      shell,
      stdio: stdio === 'pipe' ? ['ignore', 'pipe', 'pipe'] : 'inherit',
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk) => {
        output += chunk
      })
    }
    // Ctrl-C also reaches the child. This process waits until the child ends.
    let interrupted = false
    const onInterrupt = () => {
      interrupted = true
    }
    process.on('SIGINT', onInterrupt)
    const end = (code) => {
      process.off('SIGINT', onInterrupt)
      settle({ code: interrupted && code !== 0 ? INTERRUPTED : code, output })
    }
    child.on('error', (error) => {
      output += error.message
      end(1)
    })
    child.on('close', (code, signal) => end(code ?? (signal === 'SIGINT' ? INTERRUPTED : 1)))
  })
}
