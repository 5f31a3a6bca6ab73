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

/** The program in a folder, in an environment of nothing but PATH and what a test adds. */
export function programIn(folder: string) {
  const start = (words: readonly string[], { environment = {}, from = folder, flags = [], input }: StartOptions = {}) => {
    const child = spawn(process.execPath, [...flags, join(from, 'main.js'), ...words], {
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
    return { child, output }
  }
  const run = async (words: readonly string[], options?: StartOptions) => {
    const { child, output } = start(words, options)
    const [code] = await once(child, 'close')
    return { code: code as number | null, ...output }
  }
  return { start, run }
}
