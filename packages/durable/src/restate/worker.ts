/** Starts an HTTP/2 server, through which the Restate server calls this worker. */
import { createServer, type Http2Server, type ServerHttp2Session } from 'node:http2'
import { Server } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { LoggerTransport, RestateError } from '@restatedev/restate-sdk'
import type { RunFunction } from '../engine/engine.ts'
import { toFailure } from '../engine/failure.ts'
import { isMisfit } from '../engine/is-pause.ts'
import { anotherProgram, runHeld } from '../engine/run-errors.ts'
import { DurableError } from '../errors.ts'
import type { Attempt } from './attempt.ts'
import { defineWorkflow } from './define-workflow.ts'
import { toReason } from './envelopes.ts'
import { loadSdk, type RestateSdk } from './load-sdk.ts'
import type { CheckedOptions } from './options.ts'
import { OwnInputs } from './own-input.ts'
import { connectServer } from './restate-server.ts'
import { Suspects } from './suspects.ts'

export interface RestateWorker {
  /** Returns the original error of a run that has recently failed in this process. */
  failureOf(id: string): unknown
  /** Waits for running steps, then returns all runs to the server. */
  close(): Promise<void>
}

/** Starts the server. Rejects with `missing_package`, or with `engine_failed` if the port is in use. */
export async function startWorker<Input, Output>(
  options: CheckedOptions<Input, Output>,
  fn: RunFunction<Input, Output>,
): Promise<RestateWorker> {
  const sdk = await loadSdk()
  const attempts = new Set<Attempt<Input, Output>>()
  const failures = new Map<string, unknown>()
  const onFailure = (id: string, cause: unknown) => {
    failures.delete(id)
    failures.set(id, cause)
    for (const oldest of [...failures.keys()].slice(0, -MOST_FAILURES)) failures.delete(oldest)
  }
  const inputs = new OwnInputs()
  const { report, identityKeys, maxCrashes } = options
  // A connection of its own, because runs are returned to the server while the engine is being closed.
  const controller = new AbortController()
  const connection = connectServer(options, controller.signal)
  const suspects = new Suspects(connection, maxCrashes, (cause) => controller.signal.aborted || report(cause), attempts)
  const hold = async (invocation: string, key: string, cause: unknown) => {
    const reason = toFailure(cause)
    // If pausing fails, the server calls a worker again.
    await connection.pause(invocation).then(() => report(isMisfit(cause) ? runHeld(key, reason) : cause), report)
    return new sdk.RetryableError(toReason(reason), { retryAfter: 0 })
  }
  let isClosing = false
  const service = defineWorkflow({ sdk, options, fn, attempts, inputs, suspects, isClosing: () => isClosing, hold, onFailure })
  const logger: LoggerTransport = ({ context }, ...logged) => {
    for (const each of logged) {
      if (!isTriedAgain(sdk, each)) continue
      if (each.code !== MISMATCH || context?.key === undefined) report(each)
      else void hold(context.invocationId, context.key, anotherProgram(each.message))
    }
  }
  const handle = sdk.createEndpointHandler({ services: [service], logger, identityKeys: [...identityKeys] })
  const server = createServer((request, response) => handle(inputs.watch(request), response))
  const sessions = new Set<ServerHttp2Session>()
  server.on('session', (session) => {
    sessions.add(session)
    session.on('close', () => sessions.delete(session))
    session.on('error', report)
  })
  await listen(server, options.port, options.host)
  return {
    failureOf: (id) => failures.get(id),
    async close() {
      isClosing = true
      // Accepts no more connections. The HTTP/2 server's own method would also close the sessions, since Node 24.
      const ended = new Promise<void>((resolve) => Server.prototype.close.call(server, () => resolve()))
      // When a session is being closed, the server may end the connection at once, and the results of running steps would be lost.
      // Until then, it sends more runs, which wait.
      await Promise.all([...attempts].map((attempt) => attempt.close()))
      for (const session of sessions) session.close()
      for (; attempts.size > 0; await soon()) for (const attempt of attempts) attempt.giveBack('The worker is being closed.')
      const timer = setTimeout(() => {
        for (const session of sessions) session.destroy()
      }, MOST_OF_GOODBYE)
      await ended
      await Promise.race([suspects.settled(), sleep(MOST_OF_GOODBYE, undefined, { ref: false })])
      clearTimeout(timer)
      controller.abort()
    },
  }
}

/** The server's error code for a program that requests something other than what is recorded. */
const MISMATCH = 570
const MOST_FAILURES = 100
const MOST_OF_GOODBYE = 500

/**
 * Returns true for an error after which the server retries the run. Returns false for a run's outcome, and for a run that was
 * returned to the server.
 */
function isTriedAgain(sdk: RestateSdk, logged: unknown): logged is RestateError {
  return logged instanceof sdk.RestateError && !(logged instanceof sdk.TerminalError) && !(logged instanceof sdk.RetryableError)
}

function soon(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

function listen(server: Http2Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause) => {
      const words = `A Restate worker cannot listen on ${host}:${port}: ${cause.message}. Set another "port".`
      reject(new DurableError('engine_failed', words, { cause }))
    })
    server.listen(port, host, resolve)
  })
}
