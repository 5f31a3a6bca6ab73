/** Starts the process that is killed, and kills it. */
import { type ChildProcess, fork } from 'node:child_process'
import { cpSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { bundle } from '../bundle.ts'

/** When to kill a run: at the mark with this text, at the n-th mark (counted from 1), or this many milliseconds after the start. */
export type KillPoint = { readonly mark: string } | { readonly nth: number } | { readonly ms: number }

/** Bundles the program into one JavaScript file, with the scripts for SQLite's threads beside it. Returns its path. */
export async function bundleProgram(folder: string): Promise<string> {
  const program = join(folder, 'program.mjs')
  const toolset = resolve(import.meta.dirname, '../../../../packages/toolset')
  await bundle(join(import.meta.dirname, 'program.ts'), program, join(toolset, 'node_modules'))
  for (const script of ['sqlite-worker.js', 'sqlite-lock.js']) {
    cpSync(join(toolset, 'src/database/sqlite', script), join(folder, 'database/sqlite', script))
  }
  return program
}

/** Resolves to true if the process was killed, and to false if it finished first. Rejects if it ended in any other way. */
export function startAndKill(program: string, id: string, folder: string, point: KillPoint): Promise<boolean> {
  const killAt = 'ms' in point ? '' : String('mark' in point ? point.mark : point.nth)
  const child = fork(program, [id, folder, killAt], {
    // Uses only the baseline compilers, also for SQLite, which is WebAssembly. Optimizing takes longer than the whole run.
    execArgv: ['--no-opt', '--liftoff-only'],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  let timer: NodeJS.Timeout | undefined
  child.on('message', () => {
    if ('ms' in point) timer = setTimeout(() => child.kill('SIGKILL'), point.ms)
  })
  const words = textOf(child)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', (code, signal) => {
      clearTimeout(timer)
      if (code === 0 || signal === 'SIGKILL') resolve(signal === 'SIGKILL')
      else reject(new Error(`The process ended (${signal ?? code}): ${words()}`))
    })
  })
}

function textOf(child: ChildProcess): () => string {
  let text = ''
  child.stderr?.on('data', (piece) => {
    text += piece
  })
  return () => text
}
