/** Builds the program as it is shipped, from the sources of all packages, so that tests need no earlier build. */
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'tsup'

const app = fileURLToPath(new URL('..', import.meta.url))
const root = join(app, '../..')
/** The directory is under node_modules, so that imports resolve. */
const BUILDS = join(app, 'node_modules/.test-builds')

let program: Promise<string> | undefined

/**
 * Returns the directory of the program. Builds the program once for each state of the sources. Tests, threads and test runs share the
 * build.
 */
export function builtDemo(): Promise<string> {
  program ??= findOrBuild()
  return program
}

async function findOrBuild(): Promise<string> {
  const key = hashSources()
  const folder = join(BUILDS, key)
  if (existsSync(folder)) {
    utimesSync(folder, new Date(), new Date())
    return folder
  }
  mkdirSync(BUILDS, { recursive: true })
  removeOld()
  const own = mkdtempSync(join(BUILDS, 'new-'))
  await buildDemo(own)
  const isCurrent = hashSources() === key
  if (isCurrent && moveTo(folder, own)) return folder
  rmSync(own, { recursive: true })
  return findOrBuild()
}

/** Moves a new build to its place. Returns false if another thread or process was faster. */
function moveTo(folder: string, own: string): boolean {
  try {
    renameSync(own, folder)
    return true
  } catch (error) {
    if (existsSync(folder)) return false
    throw error
  }
}

const DAY_MS = 24 * 60 * 60 * 1000

/** Removes builds that haven't been used for a day, which is longer than any run. */
function removeOld(): void {
  for (const name of readdirSync(BUILDS)) {
    const { mtimeMs = Date.now() } = statSync(join(BUILDS, name), { throwIfNoEntry: false }) ?? {}
    if (Date.now() - mtimeMs > DAY_MS) rmSync(join(BUILDS, name), { recursive: true, force: true })
  }
}

/** Returns a hash of everything that the program may contain. The lock file contains the versions of bundled dependencies. */
function hashSources(): string {
  const packages = readdirSync(join(root, 'packages')).map((name) => join(root, 'packages', name))
  const files = packages.flatMap((path) => [join(path, 'package.json'), ...filesIn(join(path, 'src'))])
  const hash = createHash('sha256')
  for (const file of [join(root, 'pnpm-lock.yaml'), ...files, ...filesIn(join(app, 'src'))])
    hash.update(file).update(readFileSync(file))
  return hash.digest('hex').slice(0, 32)
}

function filesIn(folder: string): readonly string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
  return files.map(({ parentPath, name }) => join(parentPath, name)).sort()
}

async function buildDemo(folder: string): Promise<void> {
  await build({
    config: false,
    silent: true,
    entry: {
      main: join(app, 'src/main.ts'),
      'sqlite-worker': join(app, 'src/sql/sqlite-worker.js'),
      'killed-program': join(app, 'src/example-runs/killed-program.ts'),
      'code-program': join(app, 'src/example-runs/code-program.ts'),
      'sandbox/worker': join(root, 'packages/code/src/sandbox/worker.js'),
    },
    format: ['esm'],
    splitting: true,
    target: 'node20',
    outDir: folder,
    external: [
      'acorn',
      'ajv',
      'node-sqlite3-wasm',
      'pg',
      'quickjs-wasi',
      'ts-blank-space',
      /^@modelcontextprotocol\//,
      /^@dbos-inc\//,
      /^@restatedev\//,
    ],
    noExternal: [/^@x\//, 'typebox', 'eventsource-parser', 'acorn'],
    tsconfig: join(app, 'tsconfig.json'),
    esbuildOptions: (options) => {
      options.conditions = ['@x/source']
    },
  })
  // Workers are started by URL, so they aren't part of the bundle.
  const workers = 'database/sqlite'
  mkdirSync(join(folder, workers), { recursive: true })
  for (const name of ['sqlite-worker.js', 'sqlite-lock.js'])
    copyFileSync(join(root, 'packages/toolset/src', workers, name), join(folder, workers, name))
}
