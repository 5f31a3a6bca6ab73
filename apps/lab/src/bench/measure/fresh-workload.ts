/** Work that a process can do only once, such as its first call. Each sample is taken in a fresh process. */
import { fork } from 'node:child_process'
import type { Sample, Workload } from '../bench.ts'
import type { Answer } from './subject-protocol.ts'

export interface FreshProgram {
  readonly program: string
  readonly args: readonly string[]
}

/** The program does the work, verifies it, and sends one reply. It uses the Node of this process. */
export function openFresh(fresh: FreshProgram): Workload {
  const sample = () => takeFresh(fresh)
  // Every sample is of verified work.
  return { units: 1, verify: async () => {}, run: async () => void (await sample()), sample }
}

/** Rejects when the program fails or ends without an answer. */
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
    // The next sample starts after this process has ended.
    child.on('close', () => ('error' in answer ? reject(new Error(answer.error)) : resolve(answer.sample)))
  })
}

/** Measures work in this process, which has done no similar work before. */
export async function measureOnce(work: () => Promise<void>): Promise<Sample> {
  const startedCpu = process.cpuUsage()
  const started = performance.now()
  await work()
  const wall = (performance.now() - started) * 1000
  const { user, system } = process.cpuUsage(startedCpu)
  return { cpu: user + system, wall }
}
