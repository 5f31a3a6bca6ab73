/**
 * An MCP server of the stateless era that asks before it pays. Program arguments: the file to which it appends each request, and `kill`,
 * if it must kill the client's process once when the answer has arrived.
 */
import { appendFileSync, existsSync, writeFileSync } from 'node:fs'
import { inputRequired, Server } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'

const [, , file = '', when = ''] = process.argv
const requestedSchema = { type: 'object', properties: { account: { type: 'string' } }, required: ['account'] }

serveStdio(() => {
  const server = new Server({ name: 'bank', version: '1.0.0' }, { capabilities: { tools: {} } })
  const tools = [{ name: 'pay', inputSchema: { type: 'object' } }]
  server.setRequestHandler('tools/list', async () => /** @type {any} */ ({ tools }))
  server.setRequestHandler('tools/call', async (_, { mcpReq }) => {
    const responses = mcpReq.inputResponses
    appendFileSync(file, `${JSON.stringify({ responses, state: mcpReq.requestState?.() })}\n`)
    if (responses !== undefined) {
      if (when === 'kill' && !existsSync(`${file}.killed`)) {
        writeFileSync(`${file}.killed`, '')
        process.kill(process.ppid, 'SIGKILL')
      }
      return { content: [{ type: 'text', text: 'Paid.' }] }
    }
    const message = 'From which account?'
    const question = inputRequired.elicit(/** @type {any} */ ({ message, requestedSchema }))
    return /** @type {any} */ (inputRequired({ inputRequests: { account: question }, requestState: 'round:1' }))
  })
  return server
})
