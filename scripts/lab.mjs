/** `pnpm conformance …` and `pnpm bench …`: builds the packages as users get them, then runs the lab on them. Only the lab writes to stdout. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')
const PROGRAMS = ['conformance', 'bench']
const COULD_NOT_RUN = 2

const [program, ...args] = process.argv.slice(2)
if (!PROGRAMS.includes(program)) fail(`Unknown program ${JSON.stringify(program)}. Known: ${PROGRAMS.join(', ')}.`)
const turbo = join(root, 'node_modules/turbo/bin/turbo')
if (!existsSync(turbo)) fail('Nothing is installed yet. Run "npx -y pnpm@12.21.0 install" first.')
const built = await execute([turbo, 'run', 'build', '--filter=lab', '--output-logs=errors-only'], ['ignore', 2, 2])
if (built !== 0) fail('The build failed.')
process.exit(await execute([join(root, `apps/lab/dist/${program}.js`), ...args], 'inherit', process.env.INIT_CWD ?? process.cwd()))

function execute(run, stdio, cwd = root) {
  const env = { ...process.env, TURBO_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1' }
  return new Promise((settle) => {
    spawn(process.execPath, run, { cwd, env, stdio }).on('close', (code) => settle(code ?? 1))
  })
}

function fail(message) {
  process.stderr.write(`${message}\n`)
  process.exit(COULD_NOT_RUN)
}
