/**
 * Writes the type declarations of a package into its `dist` directory, for the entries in `exports` and what they need of other files.
 * The native compiler takes a second, with one thread because several would do some work more than once. Bundling the declarations with
 * tsup takes ten.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { pruneTypes } from './prune-types.mjs'

const tsc = resolve(import.meta.dirname, '../node_modules/typescript-7/bin/tsc')
const all = resolve('dist/.types')
const { exports } = JSON.parse(readFileSync('package.json', 'utf8'))
const entries = Object.values(exports).flatMap((entry) => entry['@x/source'] ?? [])

for (const file of readdirSync('dist', { recursive: true })) if (file.endsWith('.d.ts')) rmSync(join('dist', file))
mkdirSync(all, { recursive: true })
const config = {
  extends: '../../tsconfig.json',
  // Other packages are resolved to their built declarations, which are the ones that users get.
  compilerOptions: {
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    rootDir: '../../src',
    outDir: '.',
    customConditions: [],
    noCheck: true,
  },
  files: entries.map((entry) => join('../..', entry)),
  include: [],
}
writeFileSync(join(all, 'tsconfig.json'), JSON.stringify(config))
const { status } = spawnSync(process.execPath, [tsc, '-p', all, '--pretty', 'false', '--singleThreaded'], { stdio: 'inherit' })
if (status !== 0) process.exit(status ?? 1)

const types = pruneTypes(
  entries.map((entry) => entry.replace('./src/', '').replace(/\.ts$/, '.d.ts')),
  (file) => readFileSync(join(all, file), 'utf8'),
)
for (const [file, text] of types) {
  mkdirSync(dirname(join('dist', file)), { recursive: true })
  writeFileSync(join('dist', file), text)
}
rmSync(all, { recursive: true })
