/** Starts the built program as a user would. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

export interface StartOptions {
  readonly environment?: NodeJS.ProcessEnv
  /** Directory of another build than the default one. */
  readonly from?: string
  readonly flags?: readonly string[]
  /** The user's input. */
  readonly input?: string
}

/** Disables the optimization of WebAssembly: optimizing SQLite takes longer than the tests. */
const QUICK = '--liftoff-only'

/** A grace period for a stopped program that is long enough to close everything on a busy machine. */
export const ENDLESS_GRACE = { X_GRACE_MS: '1000000' }

/** No server listens on this port, so an Ollama on the developer's machine doesn't affect the tests. */
const NO_OLLAMA = { OLLAMA_HOST: '127.0.0.1:1' }

/** Runs the program in a directory, with only PATH and the test's variables in its environment. */
export function programIn(folder: string) {
  const start = (words: readonly string[], { environment = {}, from = folder, flags = [], input }: StartOptions = {}) => {
    const child = spawn(process.execPath, [QUICK, ...flags, join(from, 'main.js'), ...words], {
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
