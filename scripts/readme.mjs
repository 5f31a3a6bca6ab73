/**
 * `pnpm readme packages/toolset` compiles and runs the examples of a README against the sources, without building or installing anything.
 * Like `npm test`, it compares what they print with the comments after `console.log`.
 */
import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { readCommands, readExamples } from './packed/examples.mjs'
import { runPrograms } from './packed/programs.mjs'

const root = resolve(import.meta.dirname, '..')
const packages = readdirSync(join(root, 'packages'))
const file = toReadme(resolve(process.env.INIT_CWD ?? process.cwd(), process.argv[2] ?? '.'))
const markdown = readFileSync(file, 'utf8')
const examples = readExamples(markdown)
if (examples.size === 0) fail(`${file} has no example in TypeScript.`)

mkdirSync(join(root, 'node_modules/.cache'), { recursive: true })
const scratch = mkdtempSync(join(root, 'node_modules/.cache/readme-'))
process.on('exit', () => rmSync(scratch, { recursive: true }))
for (const [name, code] of examples) writeFileSync(join(scratch, name), code)
linkPackages([...examples.values()].join('\n'))
compile()
const wrong = runPrograms({ examples, commands: readCommands(markdown), folder: scratch, run })
if (wrong.length > 0) fail(wrong.join('\n'))

function run({ file: program, hooks, env }) {
  const runner = join(root, 'scripts/packed/run-source.mjs')
  const { status } = spawnSync(process.execPath, [...hooks, runner, program], {
    ...{ cwd: scratch, stdio: 'inherit', env: { ...process.env, ...env } },
  })
  if (status !== 0) process.exit(1)
}

function toReadme(path) {
  if (!existsSync(path)) fail(`${path} is missing.`)
  return statSync(path).isDirectory() ? join(path, 'README.md') : path
}

/** Links the packages that the examples import: ours from the workspace, and others from any workspace package that has them installed. */
function linkPackages(code) {
  const names = new Set([...code.matchAll(/from '((?:@[\w.-]+\/)?\w[\w.-]*)/g)].map(([, name]) => name))
  for (const name of names) {
    const places = [...packages.map((folder) => `packages/${folder}/node_modules/${name}`), `node_modules/${name}`]
    const target = name.startsWith('@x/') ? name.replace('@x', 'packages') : places.find((place) => existsSync(join(root, place)))
    if (target === undefined) continue
    const link = join(scratch, 'node_modules', name)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(join(root, target), link, 'junction')
  }
}

function compile() {
  const config = { extends: join(root, 'tsconfig.base.json'), compilerOptions: { types: ['node'] }, files: [...examples.keys()] }
  writeFileSync(join(scratch, 'tsconfig.json'), JSON.stringify(config))
  const tsc = join(root, 'node_modules/typescript-7/bin/tsc')
  const { status, stdout } = spawnSync(process.execPath, [tsc, '-p', scratch, '--pretty', '--singleThreaded'], {
    encoding: 'utf8',
  })
  if (status !== 0) fail(stdout)
}

function fail(message) {
  process.stderr.write(`${message.trimEnd()}\n`)
  process.exit(1)
}
