/** Starts the program that was built for a test, as a user would. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

export interface StartOptions {
  readonly environment?: NodeJS.ProcessEnv
  /** Where it was built, if not in the usual folder. */
  readonly from?: string
  readonly flags?: readonly string[]
  /** What the user writes. */
  readonly input?: string
}

/** SQLite is WebAssembly: to optimize it takes longer than all that a test does with it. */
const QUICK = '--liftoff-only'

/** Of a program that is told to stop: on a busy machine it still closes all that is open. */
export const ENDLESS_GRACE = { X_GRACE_MS: '1000000' }

/** The program in a folder, in an environment of nothing but PATH and what a test adds. */
export function programIn(folder: string) {
  const start = (words: readonly string[], { environment = {}, from = folder, flags = [], input }: StartOptions = {}) => {
    const child = spawn(process.execPath, [QUICK, ...flags, join(from, 'main.js'), ...words], {
      env: { PATH: process.env.PATH, ...environment },
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
    /** Rejects when it ends without having written these words. */
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
