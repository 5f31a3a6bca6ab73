/** Starts a process, and kills it either after the bank has booked a payment or while a call waits for approval. */
import { fork } from 'node:child_process'
import type { AgentEvent, PendingCall } from '@x/react-agent'
import type { Stage } from './run-example.ts'

/** Messages from the process. */
export type ProcessNews =
  /** A request was sent to the model, not replayed from the journal. */
  | { readonly type: 'asked' }
  | { readonly type: 'executed'; readonly tool: string }
  | { readonly type: 'event'; readonly event: AgentEvent }
  /** The payment is booked, but its result hasn't been recorded. */
  | { readonly type: 'booked' }
  /** A call waits for approval. */
  | { readonly type: 'waiting'; readonly call: Pick<PendingCall, 'callId' | 'name' | 'args'> }

/**
 * Resolves to true if the process was killed, or to false if it finished first. Rejects if it ended in any other way, or if `signal`
 * aborts.
 */
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
    if (news.type === 'booked' || news.type === 'waiting') child.kill('SIGKILL')
  })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, killedBy) => {
      if (code === 0 || killedBy === 'SIGKILL') resolve(killedBy === 'SIGKILL')
      else reject(new Error(`The process ended (${killedBy ?? code}): ${words}`))
    })
  })
}
