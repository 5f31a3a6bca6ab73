/** A source's error messages, for the programmer. */
import { McpError } from '../errors.ts'
import { isStdio, type McpServer } from './options.ts'

export function connectFailed(name: string, words: string, server: McpServer): McpError {
  const fix = isStdio(server)
    ? `Check that the command ${JSON.stringify(server.command)} starts the server, and pass { stderr: 'inherit' } to see what it writes.`
    : 'Check the url, and that the server is running.'
  return new McpError('connect_failed', `mcp("${name}"): the server can't be reached: ${words}. ${fix}`)
}

export function connectTimedOut(name: string, timeoutMs: number): McpError {
  const words = `mcp("${name}"): the server didn't answer within ${timeoutMs} ms. Raise connectTimeoutMs, or check the server.`
  return new McpError('connect_timeout', words)
}

export function unauthorized(name: string, words: string): McpError {
  const fix = 'Pass auth. After a redirect, call finishAuth with the parameters of the callback, and try again.'
  return new McpError('unauthorized', `mcp("${name}"): the server requires authorization: ${words}. ${fix}`)
}

export function listTimedOut(name: string, timeoutMs: number): McpError {
  const words = `mcp("${name}"): the server didn't list its tools within ${timeoutMs} ms. Raise connectTimeoutMs, or check the server.`
  return new McpError('list_failed', words)
}

export function listFailed(name: string, words: string): McpError {
  return new McpError('list_failed', `mcp("${name}"): the server can't list its tools: ${words}.`)
}

export function closedWhileConnecting(name: string): McpError {
  return new McpError('connect_failed', `mcp("${name}"): the source was closed while it was connecting. Open it again.`)
}

export function invalidDefinition(name: string, tool: string): string {
  return `mcp("${name}"): the tool ${JSON.stringify(tool.slice(0, 100))} was left out: its definition isn't valid by the protocol.`
}
