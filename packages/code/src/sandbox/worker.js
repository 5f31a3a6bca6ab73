/**
 * A worker that runs programs, one at a time. It is plain JavaScript, so that Node can start it both from the source and from the build.
 */
import { EngineMissing } from './engine.js'
import { startProgram } from './sandbox.js'

/**
 * @import { Sandbox } from './sandbox.js'
 * @import { WorkerRequest, WorkerReply } from './protocol.ts'
 */

/** @type {Sandbox | undefined} */
let sandbox

/**
 * @param {WorkerRequest} request
 * @param {(reply: WorkerReply) => void} send
 * @returns {Promise<WorkerReply>}
 */
async function answer(request, send) {
  try {
    if (request.results !== undefined) {
      if (sandbox === undefined) throw new Error('No program is running.')
      return { report: sandbox.receive(request.results) }
    }
    sandbox?.close()
    const started = await startProgram(request.code, request.options, () => send({ isReady: true }))
    sandbox = started.sandbox
    return { report: started.report }
  } catch (cause) {
    return { failure: String(cause), isMissing: cause instanceof EngineMissing }
  }
}

if (globalThis.process?.versions?.node === undefined) {
  const scope = /** @type {any} */ (globalThis)
  const send = (/** @type {WorkerReply} */ reply) => scope.postMessage(reply)
  scope.onmessage = async (/** @type {{ data: WorkerRequest }} */ { data }) => send(await answer(data, send))
} else {
  const { parentPort } = await import('node:worker_threads')
  const send = (/** @type {WorkerReply} */ reply) => parentPort?.postMessage(reply)
  parentPort?.on('message', async (request) => send(await answer(request, send)))
}
