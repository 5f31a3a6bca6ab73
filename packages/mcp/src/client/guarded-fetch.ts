/** A `fetch` that a server on a public address can't direct to this machine or its network, such as by its authorization metadata. */
import { privateAddress } from './messages.ts'

/**
 * Rejects with an `McpError` for a private address, unless the server itself has one. Checks addresses and the names of this machine, not what
 * a name resolves to.
 */
export function guardedFetch(fetcher: typeof fetch, server: URL, name: string): typeof fetch {
  if (isPrivate(server.hostname)) return fetcher
  return async (input, init) => {
    const { hostname } = new URL(input instanceof Request ? input.url : String(input))
    if (isPrivate(hostname)) throw privateAddress(name, hostname)
    return fetcher(input, init)
  }
}

/** The host name comes from a `URL`, which writes each address in one form only. */
function isPrivate(hostname: string): boolean {
  const name = hostname.replace(/\.$/, '')
  if (NAMES.test(name)) return true
  return name.startsWith('[') ? PRIVATE_V6.test(name) : PRIVATE_V4.test(name)
}

const NAMES = /^(?:.+\.)?localhost$|^metadata\.google\.internal$/
/** Also the ranges for carriers, link-local addresses (metadata of clouds), and those that aren't of one host. */
const PRIVATE_V4 =
  /^(?:(?:0|10|127|22[4-9]|2[3-5]\d)\.\d+|169\.254|192\.168|172\.(?:1[6-9]|2\d|3[01])|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\.\d+\.\d+$/
/** Also addresses that contain an IPv4 address: mapped, translated, and of 6to4. */
const PRIVATE_V6 = /^\[(?:::|f[cd]|fe[89ab]|ff|64:ff9b:|2002:)/
