/**
 * An MCP server of protocol revision 2025-11-25 that kills its client's process once, around a payment. Program arguments: the file of
 * payments, and the time of the kill: `before` the payment, `after` it, or when it has been `answered`.
 */
import { appendFileSync, existsSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

const [, , file = '', when = ''] = process.argv

createInterface({ input: process.stdin }).on('line', (line) => {
  /** @type {{ id?: number, method: string }} */
  const { id, method } = JSON.parse(line)
  if (id === undefined) return
  if (method === 'initialize') {
    const serverInfo = { name: 'bank', version: '1.0.0' }
    return answer(id, { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo })
  }
  if (method === 'tools/list') return answer(id, { tools: [{ name: 'pay', inputSchema: { type: 'object' } }] })
  if (method !== 'tools/call') return send({ id, error: { code: -32_601, message: 'Method not found' } })
  if (when === 'before' && kill()) return
  appendFileSync(file, 'paid\n')
  if (when === 'after' && kill()) return
  answer(id, { content: [{ type: 'text', text: 'Paid.' }] })
  if (when === 'answered') setTimeout(kill, 5)
})

/** Kills the client. Returns false if it has already been killed once. */
function kill() {
  if (existsSync(`${file}.killed`)) return false
  writeFileSync(`${file}.killed`, '')
  process.kill(process.ppid, 'SIGKILL')
  return true
}

/** @param {number} id @param {object} result */
function answer(id, result) {
  send({ id, result })
}

/** @param {object} message */
function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
}
