/** A worker thread of Node or of a browser that runs programs. After a program ends normally, its worker is kept for the next program. */
import type { WorkerReply, WorkerRequest } from './sandbox/protocol.ts'

export interface Thread {
  post(request: WorkerRequest): void
  /** Resolves to the next reply. Resolves to undefined if the worker has crashed. */
  next(): Promise<WorkerReply | undefined>
  /** Stops the worker immediately. */
  terminate(): void
  /** Gives the worker back for reuse. Stops it instead if a reply is still expected, or if another idle worker is already kept. */
  release(): void
}

/** The common interface of workers in Node and in browsers. */
interface Port {
  post(request: WorkerRequest): void
  terminate(): void
  /** Sets whether the worker keeps the process alive. */
  hold(isHeld: boolean): void
}

type OnReply = (reply: WorkerReply | undefined) => void

let idle: WorkerThread | undefined

export async function acquireThread(): Promise<Thread> {
  const thread = idle ?? new WorkerThread()
  idle = undefined
  await thread.opened
  return thread
}

class WorkerThread implements Thread {
  readonly opened: Promise<void>
  #port: Port | undefined
  #replies: (WorkerReply | undefined)[] = []
  #waiting: OnReply | undefined
  /** Number of requests that the worker hasn't answered. */
  #expected = 0
  #isOver = false

  constructor() {
    const onReply: OnReply = (reply) => this.#take(reply)
    this.opened = (globalThis.process?.versions?.node === undefined ? openWeb(onReply) : openNode(onReply)).then((port) => {
      this.#port = port
    })
  }

  post(request: WorkerRequest): void {
    if (this.#isOver) return
    this.#expected++
    this.#port?.hold(true)
    this.#port?.post(request)
  }

  next(): Promise<WorkerReply | undefined> {
    if (this.#replies.length > 0) return Promise.resolve(this.#replies.shift())
    if (this.#isOver) return Promise.resolve(undefined)
    return new Promise((resolve) => {
      this.#waiting = resolve
    })
  }

  terminate(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#port?.terminate()
    this.#give(undefined)
  }

  release(): void {
    if (this.#isOver || this.#expected > 0 || idle !== undefined) this.terminate()
    else idle = this
  }

  #take(reply: WorkerReply | undefined): void {
    if (reply === undefined) this.#isOver = true
    if (reply === undefined || !('isReady' in reply)) this.#expected--
    if (this.#expected <= 0) this.#port?.hold(false)
    if (this.#isOver && idle === this) idle = undefined
    this.#give(reply)
  }

  #give(reply: WorkerReply | undefined): void {
    const waiting = this.#waiting
    this.#waiting = undefined
    if (waiting === undefined) this.#replies.push(reply)
    else waiting(reply)
  }
}

async function openNode(onReply: OnReply): Promise<Port> {
  const { Worker } = await import('node:worker_threads')
  const worker = new Worker(new URL('./sandbox/worker.js', import.meta.url), { env: {}, execArgv: [] })
  worker.on('message', onReply)
  worker.on('error', () => onReply(undefined))
  worker.unref()
  return {
    post: (request) => worker.postMessage(request),
    terminate: () => void worker.terminate(),
    hold: (isHeld) => (isHeld ? worker.ref() : worker.unref()),
  }
}

/** The members of a browser's `Worker` that are used. Node's types don't include them. */
interface WebWorker {
  onmessage: ((event: { readonly data: WorkerReply }) => void) | null
  onerror: (() => void) | null
  postMessage(message: unknown): void
  terminate(): void
}

async function openWeb(onReply: OnReply): Promise<Port> {
  // Bundlers recognize this expression.
  // @ts-expect-error Node has no global Worker.
  const worker: WebWorker = new Worker(new URL('./sandbox/worker.js', import.meta.url), { type: 'module' })
  worker.onmessage = ({ data }) => onReply(data)
  worker.onerror = () => onReply(undefined)
  return { post: (request) => worker.postMessage(request), terminate: () => worker.terminate(), hold: () => {} }
}
