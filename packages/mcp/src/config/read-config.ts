/** Reads the configuration files of desktop clients, which list servers under `mcpServers`. */
import { readFile } from 'node:fs/promises'
import { foreignNames } from '@x/tool-core'
import { MAX_NAME, type McpServer } from '../client/options.ts'
import { McpError } from '../errors.ts'

export interface McpConfigOptions {
  /** Names of environment variables that the file may refer to with `${NAME}`. Default: none. */
  readonly variables?: readonly string[] | undefined
  /** Values of the environment variables. Default: `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined
}

/** A server from a configuration file. */
export interface ConfiguredServer {
  /**
   * Name to pass to `mcp`. Like the name in the file, but with `_` in place of each character that isn't allowed in an
   * identifier.
   */
  readonly name: string
  /** The server's name in the file. */
  readonly configName: string
  readonly server: McpServer
}

/**
 * Reads the servers in a file, in order, except those that are `disabled`. In strings, `${NAME}` is replaced with the value of a listed
 * variable, and `${NAME:-text}` with `text` if the variable isn't set. Rejects with `invalid_config`.
 */
export async function readMcpConfig(path: string | URL, options: McpConfigOptions = {}): Promise<readonly ConfiguredServer[]> {
  const file = String(path)
  const { mcpServers } = await readJson(path, file)
  if (!isRecord(mcpServers)) throw invalid(file, 'mcpServers must be an object of servers')
  const enabled = Object.entries(mcpServers).filter(([, server]) => !(isRecord(server) && server.disabled === true))
  const names = foreignNames(enabled.map(([name]) => name))
  return enabled.map(([configName, given]) => {
    const name = names.toToolName(configName)
    if (name.length > MAX_NAME) throw invalid(file, `the name ${JSON.stringify(configName)} has more than ${MAX_NAME} characters`)
    const place = `${file}: mcpServers.${configName}`
    return { name, configName, server: toServer(expanded(given, place, options), place) }
  })
}

async function readJson(path: string | URL, file: string): Promise<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(await readFile(path, 'utf8'))
    return isRecord(parsed) ? parsed : {}
  } catch (cause) {
    throw new McpError('invalid_config', `readMcpConfig: ${file} can't be read as JSON.`, { cause })
  }
}

function toServer(given: unknown, place: string): McpServer {
  if (!isRecord(given)) throw invalid(place, 'a server must be an object with a command or a url')
  const { command, args, env, cwd, url, headers } = given
  const isPlain = isTextOr(cwd) && isRecordOfText(env) && isRecordOfText(headers)
  if (!isPlain || !(args === undefined || (Array.isArray(args) && args.every(isText))))
    throw invalid(place, 'args must be a list of strings, cwd a string, env and headers objects of strings')
  if (isText(command) && url === undefined)
    return { command, ...(args && { args }), ...(env && { env }), ...(cwd !== undefined && { cwd }) }
  if (isText(url) && command === undefined) return { url, ...(headers && { headers }) }
  throw invalid(place, 'a server must have either a command or a url')
}

const VARIABLE = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g

/** Replaces the variables in all strings. Values aren't expanded again, so a value can't refer to another variable. */
function expanded(value: unknown, place: string, options: McpConfigOptions): unknown {
  if (typeof value === 'string')
    return value.replace(VARIABLE, (_, name: string, text?: string) => variableOf(name, text, place, options))
  if (Array.isArray(value)) return value.map((item) => expanded(item, place, options))
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, expanded(member, place, options)]))
}

function variableOf(name: string, text: string | undefined, place: string, options: McpConfigOptions): string {
  const { variables = [], env = process.env } = options
  if (!variables.includes(name)) throw invalid(place, `the variable ${name} isn't listed: pass variables: ['${name}']`)
  const value = env[name] ?? text
  if (value === undefined) throw invalid(place, `the variable ${name} isn't set`)
  return value
}

function invalid(place: string, words: string): McpError {
  return new McpError('invalid_config', `readMcpConfig: ${place}: ${words}.`)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function isTextOr(value: unknown): value is string | undefined {
  return value === undefined || isText(value)
}

function isRecordOfText(value: unknown): value is Record<string, string> | undefined {
  return value === undefined || (isRecord(value) && Object.values(value).every(isText))
}
