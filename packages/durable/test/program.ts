/** Programs of worker processes. A process cannot run TypeScript, so each is bundled. */
import { type ChildProcess, execFile, fork } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll } from 'vitest'

/** CommonJS modules in the bundle call `require` for Node's own modules. */
const REQUIRE = "import { createRequire as of } from 'node:module'; const require = of(import.meta.url)"

export interface TestProgram {
  /** Starts the program with an IPC channel. The parent reports the program's stderr. */
  start(...args: readonly string[]): ChildProcess
  /** Runs the program with a limit of open files. Resolves to what it prints, or to its error. */
  runLimited(files: number, ...args: readonly string[]): Promise<string>
}

/**
 * Bundles a file of this package. With `isSplit`, what it loads lazily stays in files of its own. The bundle is removed after the tests of the
 * file.
 */
export async function bundleProgram(entry: string, isSplit = false): Promise<TestProgram> {
  const folder = mkdtempSync(join(tmpdir(), 'program-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const require = createRequire(createRequire(import.meta.url).resolve('vite/package.json'))
  const { build } = require('esbuild') as { build(options: object): Promise<unknown> }
  const program = join(folder, 'program.mjs')
  await build({
    entryPoints: [join(import.meta.dirname, entry)],
    outdir: folder,
    entryNames: 'program',
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: isSplit,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    conditions: ['@x/source'],
    // DBOS and its driver are bundled too, because Node loads one file in less time than their hundreds. As files of their own, their exports
    // would be missing. What else is listed is optional for them.
    external: ['@restatedev/*', '@opentelemetry/*', 'winston*', 'pg-native', ...(isSplit ? ['@dbos-inc/*', 'pg'] : [])],
    banner: { js: REQUIRE },
    logLevel: 'silent',
  })
  symlinkSync(resolve(import.meta.dirname, '../node_modules'), join(folder, 'node_modules'), 'junction')
  // Optimizing takes longer than most programs run.
  const execArgv = ['--no-opt']
  return {
    start: (...args) => fork(program, [...args], { execArgv, stdio: ['ignore', 'ignore', 'pipe', 'ipc'] }),
    runLimited: (files, ...args) => {
      const command = `ulimit -Sn ${files} && exec "$0" "$@"`
      const all = ['-c', command, process.execPath, program, ...args]
      return new Promise((resolve) => execFile('sh', all, (error, stdout, stderr) => resolve(error ? stderr : stdout.trim())))
    },
  }
}
