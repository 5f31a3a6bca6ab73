/** The parent's side of one child process: sends requests and ends the process. */
import { type ChildProcess, fork } from 'node:child_process'
import type { Sample } from '../bench.ts'
import type { CellProcess } from './measure.ts'
import type { Answer, Question } from './subject-protocol.ts'

export interface SubjectClientOptions {
  readonly program: string
  readonly args: readonly string[]
  /** Path of the Node that runs the process. */
  readonly node: string
  /** Timeout for one reply. */
  readonly answerMs: number
}

/** Turns off the peers' tracing and telemetry. */
const QUIET = {
  LANGCHAIN_TRACING_V2: 'false',
  LANGSMITH_TRACING: 'false',
  MASTRA_TELEMETRY_DISABLED: '1',
  NODE_ENV: 'production',
  OPENAI_AGENTS_DISABLE_TRACING: '1',
}

export class SubjectClient implements CellProcess {
  readonly #answerMs: number
  readonly #child: ChildProcess

  constructor({ program, args, node, answerMs }: SubjectClientOptions) {
    this.#answerMs = answerMs
    // stdout is reserved for the report.
    this.#child = fork(program, args, {
      execPath: node,
      execArgv: ['--expose-gc'],
      env: { ...process.env, ...QUIET },
      stdio: ['ignore', 2, 2, 'ipc'],
    })
    // Without a listener, an error would end this process. The pending request rejects instead.
    this.#child.on('error', () => {})
  }

  /** Rejects if the subject fails, its process ends, or the reply takes too long. */
  ask(question: Question): Promise<Sample> {
    const child = this.#child
    return new Promise((resolve, reject) => {
      const fail = (problem: string) => settle(() => reject(new Error(problem)))
      const onMessage = (answer: Answer) => ('error' in answer ? fail(answer.error) : settle(() => resolve(answer.sample)))
      const onExit = (code: number | null, signal: string | null) => fail(`The subject's process ended (${signal ?? code}).`)
      const onError = (error: Error) => fail(error.message)
      const timer = setTimeout(() => {
        fail(`No answer within ${this.#answerMs} ms.`)
        this.close()
      }, this.#answerMs)
      child.on('message', onMessage).on('exit', onExit).on('error', onError)
      if (child.connected) child.send(question)
      else fail("The subject's process has ended.")

      function settle(how: () => void): void {
        clearTimeout(timer)
        child.off('message', onMessage).off('exit', onExit).off('error', onError)
        how()
      }
    })
  }

  close(): void {
    this.#child.kill('SIGKILL')
  }
}
