/** Counts the work of code, so that no test needs a clock. The load of the machine doesn't change the result. */
import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import type { CountedWork } from './work-thread.ts'

/**
 * Returns the work of each of the `readings` that the module at `path` exports, for texts of these lengths. Work is the number of times
 * that functions and their blocks run, plus the number of characters that searches read. Runs in a separate thread, because V8 counts the
 * loops of a function only if counting starts before its first run.
 */
export async function countWork(path: string, lengths: readonly number[]): Promise<readonly CountedWork[]> {
  const require = createRequire(createRequire(import.meta.url).resolve('vite/package.json'))
  const { build } = require('esbuild') as {
    build(options: object): Promise<{ readonly outputFiles: readonly [{ readonly text: string }] }>
  }
  const built = await build({
    stdin: {
      contents: `import { readings } from ${JSON.stringify(path)}
        import { countAll } from './work-thread.ts'
        countAll(readings)`,
      resolveDir: import.meta.dirname,
    },
    bundle: true,
    write: false,
    platform: 'node',
    format: 'cjs',
    conditions: ['@x/source'],
    logLevel: 'silent',
  })
  const worker = new Worker(built.outputFiles[0].text, { eval: true, workerData: lengths })
  try {
    return await new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject))
  } finally {
    await worker.terminate()
  }
}

/** Maximum ratio of the work. Text that is 8 times as long takes 8 times the work, or 64 times if the work is quadratic. */
const MOST = 12

/** Returns the readings whose work grows faster than the length of their text. */
export async function findQuadratic(path: string): Promise<readonly CountedWork[]> {
  const counted = await countWork(path, [500, 4_000])
  return counted.filter(({ counts: [short = 0, long = 0] }) => short === 0 || long > MOST * short)
}
