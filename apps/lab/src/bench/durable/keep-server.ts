/** Starts a server through a keeper process, which stops the server when this process ends. Waits until the server is healthy. */
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const MOST_OF_A_START = 30_000

export interface Kept {
  readonly folder: string
  readonly program: string
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

/** Starts the keeper. When this process ends, even by SIGKILL, the keeper stops the server and removes the directory. */
export function keep({ folder, program, args, env }: Kept): ChildProcess {
  const file = join(import.meta.dirname, 'bench-keeper.js')
  const all = [file, folder, program, ...args]
  return spawn(process.execPath, all, { env: { ...process.env, ...env }, stdio: ['pipe', 'ignore', 'pipe'] })
}

/** Lets this process end even though the keeper is still running. The pipe is then closed, which makes the keeper stop. */
export function letGo(keeper: ChildProcess): void {
  keeper.unref()
  for (const stream of [keeper.stdin, keeper.stderr]) (stream as { unref?(): void } | null)?.unref?.()
}

export async function untilHealthy(keeper: ChildProcess, urls: readonly string[]): Promise<void> {
  const end = Date.now() + MOST_OF_A_START
  const isHealthy = (url: string) =>
    fetch(url).then(
      ({ ok }) => ok,
      () => false,
    )
  for (const url of urls) {
    while (!(await isHealthy(url))) {
      if (keeper.exitCode !== null) throw new Error('The server ended.')
      if (Date.now() > end) throw new Error('The server does not answer.')
      await sleep(50)
    }
  }
}
