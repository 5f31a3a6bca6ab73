/** Imports the optional peer dependencies when they are needed. */
import { McpError } from './errors.ts'

/** Imports the SDK's client. Throws `missing_package`. */
export async function importClient(): Promise<typeof import('@modelcontextprotocol/client')> {
  try {
    return await import('@modelcontextprotocol/client')
  } catch (cause) {
    throw missing('client', cause)
  }
}

/** Imports the SDK's transport for child processes, which needs Node. Throws `missing_package`. */
export async function importStdio(): Promise<typeof import('@modelcontextprotocol/client/stdio')> {
  try {
    return await import('@modelcontextprotocol/client/stdio')
  } catch (cause) {
    throw missing('client', cause)
  }
}

/** Imports the SDK's server. Throws `missing_package`. */
export async function importServer(): Promise<typeof import('@modelcontextprotocol/server')> {
  try {
    return await import('@modelcontextprotocol/server')
  } catch (cause) {
    throw missing('server', cause)
  }
}

/** Imports the SDK's server over stdio. Throws `missing_package`. */
export async function importServerStdio(): Promise<typeof import('@modelcontextprotocol/server/stdio')> {
  try {
    return await import('@modelcontextprotocol/server/stdio')
  } catch (cause) {
    throw missing('server', cause)
  }
}

function missing(part: 'client' | 'server', cause: unknown): McpError {
  const name = `@modelcontextprotocol/${part}`
  return new McpError('missing_package', `${name} can't be imported. Install it: npm i ${name}`, { cause })
}
