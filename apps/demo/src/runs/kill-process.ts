/** Starts the process that is killed, and kills it when it has booked the payment. */
import { fork } from 'node:child_process'
import type { AgentEvent } from '@x/react-agent'
import type { Stage } from './run-example.ts'

/** What the process tells of itself. */
export type ProcessNews =
  /** The model is asked, and the response does not come from the journal. */
  | { readonly type: 'asked' }
  | { readonly type: 'executed'; readonly tool: string }
  | { readonly type: 'event'; readonly event: AgentEvent }
  /** Done, and not yet recorded. */
  | { readonly type: 'booked' }

/** True when it was killed, false when it came to its end before. Rejects when it ended in any other way, and when `signal` aborts. */
export function startAndKill(
  { program, folder, signal }: Pick<Stage, 'program' | 'folder' | 'signal'>,
  onNews: (news: ProcessNews) => void,
): Promise<boolean> {
  const child = fork(program.file, [folder, JSON.stringify(program.model)], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    signal,
    killSignal: 'SIGKILL',
  })
  let words = ''
  child.stderr?.on('data', (piece) => {
    words += piece
  })
  child.on('message', (message) => {
    const news = message as ProcessNews
    onNews(news)
    if (news.type === 'booked') child.kill('SIGKILL')
  })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, killedBy) => {
      if (code === 0 || killedBy === 'SIGKILL') resolve(killedBy === 'SIGKILL')
      else reject(new Error(`The process ended (${killedBy ?? code}): ${words}`))
    })
  })
}
