/** Starts workers in processes of their own. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { ProgramOptions } from './test-program.ts'

export interface TestProgram extends Disposable {
  /** For what the workers write. */
  readonly folder: string
  start(options: ProgramOptions): Promise<ChildProcess>
}

/** A process cannot run TypeScript, so it gets one file. */
export async function bundleProgram(): Promise<TestProgram> {
  const require = createRequire(createRequire(import.meta.url).resolve('vite/package.json'))
  const { build } = require('esbuild') as { build(options: object): Promise<unknown> }
  const folder = mkdtempSync(join(tmpdir(), 'dbos-'))
  const program = join(folder, 'program.mjs')
  await build({
    entryPoints: [join(import.meta.dirname, 'test-program.ts')],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    conditions: ['@x/source'],
    external: ['@dbos-inc/dbos-sdk', 'pg'],
    logLevel: 'silent',
  })
  symlinkSync(resolve(import.meta.dirname, '../../node_modules'), join(folder, 'node_modules'), 'junction')
  const children = new Set<ChildProcess>()
  return {
    folder,
    async start(options) {
      const child = fork(program, [JSON.stringify(options)], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
      children.add(child)
      await Promise.race([once(child, 'message'), once(child, 'exit').then(() => Promise.reject(new Error('It ended.')))])
      return child
    },
    [Symbol.dispose]() {
      for (const child of children) child.kill('SIGKILL')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
