/** Work that each process can do only once, such as its first call. Each sample is taken in a fresh process. */
import { fork } from 'node:child_process'
import type { Sample, Workload } from '../bench.ts'
import type { Answer } from './subject-protocol.ts'

export interface FreshProgram {
  readonly program: string
  readonly args: readonly string[]
}

/** Creates a workload from a program that does the work, verifies it, and sends one reply. It runs on the same Node as this process. */
export function openFresh(fresh: FreshProgram): Workload {
  const sample = () => takeFresh(fresh)
  // Every sample is already verified by the program.
  return { units: 1, verify: async () => {}, run: async () => void (await sample()), sample }
}

/** Runs the program once. Rejects if it fails or ends without a reply. */
function takeFresh({ program, args }: FreshProgram): Promise<Sample> {
  return new Promise((resolve, reject) => {
    const child = fork(program, args, {
      execArgv: ['--expose-gc'],
      env: { ...process.env, NODE_DISABLE_COMPILE_CACHE: '1' },
      stdio: ['ignore', 2, 2, 'ipc'],
    })
    let answer: Answer = { error: 'A fresh process sent no reply.' }
    child.on('message', (message: Answer) => {
      answer = message
    })
    child.on('error', reject)
    // Waits until the process has ended, so that samples don't overlap.
    child.on('close', () => ('error' in answer ? reject(new Error(answer.error)) : resolve(answer.sample)))
  })
}

/** Measures one execution of the work in this process. */
export async function measureOnce(work: () => Promise<void>): Promise<Sample> {
  const startedCpu = process.cpuUsage()
  const started = performance.now()
  await work()
  const wall = (performance.now() - started) * 1000
  const { user, system } = process.cpuUsage(startedCpu)
  return { cpu: user + system, wall }
}
