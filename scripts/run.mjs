/** The two commands of the README, on a machine that has nothing but Node and npm: installs what the command needs, then runs it. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

const PNPM = 'pnpm@12.21.0'
const root = resolve(import.meta.dirname, '..')
const env = { ...process.env, TURBO_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1', npm_config_loglevel: 'error' }

const [command, ...args] = process.argv.slice(2)
const commands = { demo, test }
const run = commands[command]
if (run === undefined) {
  console.error(`Unknown command ${JSON.stringify(command)}. Known: ${Object.keys(commands).join(', ')}.`)
  process.exit(2)
}
process.exit(await run())

/** Installs and builds the demo and what it depends on, nothing else; over a full install it leaves that as it is. */
async function demo() {
  const filter = ['--filter', 'demo...']
  const only = existsSync(join(root, 'node_modules/vitest')) ? [] : [...filter, '--prod']
  return (
    (await step('Installing what the demo needs', pnpm([...only, 'install', '--frozen-lockfile']))) ||
    (await step('Building it', pnpm([...filter, '--workspace-concurrency=4', 'run', 'build:js']))) ||
    (await node([join(root, 'apps/demo/dist/main.js'), ...args]))
  )
}

/** Installs everything and checks everything. pnpm runs the checks, so that tools that call pnpm find it. */
async function test() {
  const [file, fileArgs] = pnpm(['exec', 'node', 'scripts/check.mjs', '--packages', ...args])
  return (await step('Installing', pnpm(['install', '--frozen-lockfile']))) || (await execute(file, fileArgs, 'inherit')).code
}

/** Says what goes on; shows the output only when it failed. Resolves to the exit code. */
async function step(title, [file, fileArgs]) {
  const started = performance.now()
  process.stderr.write(`▸ ${title} …\n`)
  const { code, output } = await execute(file, fileArgs, 'pipe')
  if (code === 0) process.stderr.write(`  done in ${((performance.now() - started) / 1000).toFixed(1)} s\n`)
  else process.stderr.write(`${output}\n✗ ${title} failed: ${file} ${fileArgs.join(' ')}\n`)
  return code
}

/** pnpm through npx, which comes with Node. The path of npx is looked up beside the running Node, so that another Node keeps its own. */
function pnpm(pnpmArgs) {
  const npx = join(dirname(process.execPath), '../lib/node_modules/npm/bin/npx-cli.js')
  return existsSync(npx) ? [process.execPath, [npx, '-y', PNPM, ...pnpmArgs]] : ['npx', ['-y', PNPM, ...pnpmArgs]]
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
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk))
    // Ctrl-C reaches the child by itself; this process waits for it to end.
    process.on('SIGINT', () => {})
    child.on('error', (error) => settle({ code: 1, output: `${output}${error.message}` }))
    child.on('close', (code, signal) => settle({ code: code ?? (signal === 'SIGINT' ? 130 : 1), output }))
  })
}
