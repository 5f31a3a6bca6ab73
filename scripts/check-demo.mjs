/** Runs the README's demo command in a copy of the repository where nothing is installed, as a new user would. Prints its output if it fails. */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')
const copy = mkdtempSync(join(tmpdir(), 'x-demo-'))
const GENERATED = new Set(['node_modules', 'dist', 'tarballs', '.turbo', '.git'])
cpSync(root, copy, { recursive: true, filter: (path) => !GENERATED.has(basename(path)) })
// Settings of the package manager that started this script must not affect the copy.
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^p?npm_/i.test(name)))
const shell = process.platform === 'win32'
const { status, stdout, stderr } = spawnSync('npm', ['run', '-s', 'demo'], { cwd: copy, env, encoding: 'utf8', shell })
rmSync(copy, { recursive: true, force: true })
process.stdout.write(status === 0 ? 'npm run demo: exit code 0\n' : `npm run demo: exit code ${status}\n${stdout}\n${stderr}\n`)
process.exitCode = status ?? 1
