/** A server of MCP's stateless era over stdio, made with the official SDK. */
import { Server } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'

const IMAGE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const tools = [
  { name: 'draw', description: 'Draws a picture.', inputSchema: { type: 'object', properties: { what: { type: 'string' } } } },
  {
    name: 'measure',
    description: 'Measures a picture.',
    inputSchema: { type: 'object' },
    outputSchema: { type: 'object', properties: { width: { type: 'number' } }, required: ['width'] },
  },
]

serveStdio(() => {
  const server = new Server({ name: 'stateless', version: '1.0.0' }, { capabilities: { tools: {} } })
  server.setRequestHandler('tools/list', async () => /** @type {any} */ ({ tools }))
  server.setRequestHandler('tools/call', async ({ params }) => {
    if (params.name === 'measure') return { content: [], structuredContent: { width: 1 } }
    const words = `Here is ${params.arguments?.what}.`
    return {
      content: [
        { type: 'text', text: words },
        { type: 'image', data: IMAGE, mimeType: 'image/png' },
      ],
    }
  })
  return server
})
