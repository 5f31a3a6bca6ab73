/** Runs commands of the program: as a user would, in a process of the built program, or in this process, which is quicker. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { reportFailure } from '../src/failure.ts'
import { runProgram } from '../src/program.ts'

export interface StartOptions {
  readonly environment?: NodeJS.ProcessEnv
  /** Directory of another build than the default one. */
  readonly from?: string
  readonly flags?: readonly string[]
  /** The user's input. */
  readonly input?: string
}

/** Disables the optimizing compilers for JavaScript and WebAssembly, because optimizing takes longer than most commands. */
export const QUICK = ['--no-opt', '--liftoff-only']

/** A grace period that is long enough to close everything on a busy machine. */
export const ENDLESS_GRACE = { X_GRACE_MS: '1000000' }

/** An address without a server, so that an Ollama on the developer's machine doesn't affect the tests. */
const NO_OLLAMA = { OLLAMA_HOST: '127.0.0.1:1' }

/** Runs the program in a directory. Its environment contains only PATH and the test's variables. */
export function programIn(folder: string) {
  const start = (words: readonly string[], { environment = {}, from = folder, flags = [], input }: StartOptions = {}) => {
    const child = spawn(process.execPath, [...QUICK, ...flags, join(from, 'main.js'), ...words], {
      env: { PATH: process.env.PATH, ...NO_OLLAMA, ...environment },
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    })
    child.stdin?.end(input)
    const output = { out: '', err: '' }
    child.stdout?.on('data', (text) => {
      output.out += text
    })
    child.stderr?.on('data', (text) => {
      output.err += text
    })
    /** Waits until the program writes this text. Rejects if the program ends first. */
    const written = (text: string) =>
      new Promise<void>((resolve, reject) => {
        const look = () => output.out.includes(text) && resolve()
        child.stdout?.on('data', look)
        child.once('close', () => reject(new Error(`It ended without "${text}": ${output.out}${output.err}`)))
        look()
      })
    return { child, output, written }
  }
  const run = async (words: readonly string[], options?: StartOptions) => {
    const { child, output } = start(words, options)
    const [code] = await once(child, 'close')
    return { code: code as number | null, ...output }
  }
  return { start, run }
}

/**
 * Runs a command in this process, with only the test's variables in its environment. Pass `--db`, because the default database belongs to
 * the user.
 */
export async function runHere(words: readonly string[], { environment = {}, input = '' }: StartOptions = {}) {
  const output = { out: '', err: '' }
  const stdin = new PassThrough()
  stdin.end(input)
  const to = (stream: 'out' | 'err') => (text: string) => {
    output[stream] += text
    return true
  }
  const stdout = Object.assign(new PassThrough(), { write: to('out') })
  const stderr = { write: to('err') }
  const { code } = await runProgram(words, {
    console: { stdin, stdout, stderr, pid: process.pid, kill: () => true },
    environment: { ...NO_OLLAMA, ...environment },
    signal: new AbortController().signal,
    report: (error) => reportFailure(error, stderr),
  })
  return { code, ...output }
}
