/** Error messages of a source, written for the programmer. */
import { findHiddenCharacters, revealHiddenCharacters } from '@x/registry'
import { MAX_DEPTH } from '@x/tool-core'
import { McpError } from '../errors.ts'
import { isStdio, type McpServer, type Settings } from './options.ts'
import { MAX_DEFINITION, type Removed } from './size-of.ts'

/** `reasons` has a reason for each transport that was tried. */
export function connectFailed(name: string, reasons: ReadonlyMap<string, string>, server: McpServer): McpError {
  const all = [...reasons].map(([transport, reason]) => (reasons.size === 1 ? reason : `${transport}: ${reason}`))
  const fix = isStdio(server)
    ? `Check that the command ${JSON.stringify(server.command)} starts the server, and pass { stderr: 'inherit' } to see what it writes.`
    : 'Check the url, and that the server is running.'
  return new McpError('connect_failed', `mcp("${name}"): the server can't be reached: ${all.join('; ')}. ${fix}`)
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

export function removedTool(name: string, { name: tool, fault }: Removed): string {
  return `mcp("${name}"): the tool ${quoted(tool)} was left out: ${WHY_REMOVED[fault]}.`
}

const WHY_REMOVED: Readonly<Record<Removed['fault'], string>> = {
  too_large: `its definition has more than ${MAX_DEFINITION} characters`,
  too_deep: `its definition is nested deeper than ${MAX_DEPTH} levels`,
  invalid: "its definition doesn't follow the protocol",
}

/** Maximum length of a server's instructions, in characters. A model reads them with each request. */
const MAX_INSTRUCTIONS = 64 * 1024

/** Returns the reason why the instructions can't be passed to the model. Returns undefined if they can. */
export function faultOfInstructions(
  instructions: string,
  { hiddenCharacters }: Pick<Settings, 'hiddenCharacters'>,
): string | undefined {
  if (instructions.length > MAX_INSTRUCTIONS) return `they have more than ${MAX_INSTRUCTIONS} characters`
  const isRefused = hiddenCharacters !== 'show' && findHiddenCharacters(instructions).length > 0
  return isRefused ? "they contain hidden characters. Pass hiddenCharacters: 'show' to make them visible" : undefined
}

export function instructionsRefused(name: string, fault: string): string {
  return `mcp("${name}"): the server's instructions were left out, because ${fault}.`
}

export function privateAddress(name: string, host: string): McpError {
  const words = `the server refers to the private address ${host}, which was refused because its own address is public.`
  return new McpError('unauthorized', `mcp("${name}"): ${words} Check its authorization metadata.`)
}

export function strayMessage(name: string): string {
  return `mcp("${name}"): the server wrote something other than messages to its standard output. It was ignored.`
}

export function unexpectedQuestion(name: string, most: number | undefined): string {
  const why = most === undefined ? 'while no call was running' : `more than ${most} times during a call`
  return `mcp("${name}"): the server asked a question ${why}, which was declined.`
}

/** Shortens a name from a server, and makes its hidden characters visible. */
export function shownName(name: string): string {
  return revealHiddenCharacters(name.slice(0, 100).toWellFormed())
}

export function quoted(name: string): string {
  return JSON.stringify(shownName(name))
}
