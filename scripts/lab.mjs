/**
 * Runs `pnpm conformance …`, `pnpm bench …`, `pnpm fuzz …`, `pnpm prompts` and `pnpm load …`: builds the packages, then runs the lab on them. Only the lab writes to
 * stdout.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pnpm } from './pnpm.mjs'

const root = resolve(import.meta.dirname, '..')
const PROGRAMS = ['conformance', 'bench', 'fuzz', 'prompts', 'load']
const COULD_NOT_RUN = 2

const [program, ...args] = process.argv.slice(2)
if (!PROGRAMS.includes(program)) fail(`Unknown program ${JSON.stringify(program)}. Known: ${PROGRAMS.join(', ')}.`)
const turbo = join(root, 'node_modules/turbo/bin/turbo')
if (!existsSync(turbo)) fail('Nothing is installed yet. Run "npx -y pnpm@12.21.0 install" first.')
const build = ['run', 'build', '--filter=lab', '--output-logs=errors-only']
// Turbo needs pnpm on the PATH. It is there only if pnpm runs this script.
const isUnderPnpm = process.env.npm_config_user_agent?.startsWith('pnpm/') === true
const [file, fileArgs] = isUnderPnpm ? [process.execPath, [turbo, ...build]] : pnpm(['exec', 'turbo', ...build])
process.stderr.write('▸ Building what has changed (a full build takes a minute) …\n')
let said = ''
if ((await execute(file, fileArgs, ['ignore', 'pipe', 'pipe'], root, (text) => (said += text))) !== 0)
  fail(`${said}\nThe build failed.`)
const cwd = process.env.INIT_CWD ?? process.cwd()
process.exit(await execute(process.execPath, [join(root, `apps/lab/dist/${program}.js`), ...args], 'inherit', cwd))

/** Resolves to the exit code. A signal that stops this process also stops the child. */
function execute(file, fileArgs, stdio, cwd, hear) {
  const env = { ...process.env, TURBO_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1' }
  return new Promise((settle) => {
    const child = spawn(file, fileArgs, { cwd, env, stdio, shell: process.platform === 'win32' && file === 'npx' })
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', hear)
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
    child.on('error', (error) => fail(error.message))
    child.on('close', (code) => settle(code ?? COULD_NOT_RUN))
  })
}

function fail(message) {
  process.stderr.write(`${message}\n`)
  process.exit(COULD_NOT_RUN)
}
