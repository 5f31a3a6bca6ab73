/**
 * A `fetch` that protects this machine and its network. It keeps a public server from directing requests to private addresses,
 * for example through its authorization metadata.
 */
import { privateAddress } from './messages.ts'

/**
 * Returns a `fetch` that rejects with an `McpError` for a private address, unless the server's own address is private. Checks IP
 * addresses and the names of this machine, but doesn't resolve other names.
 */
export function guardedFetch(fetcher: typeof fetch, server: URL, name: string): typeof fetch {
  if (isPrivate(server.hostname)) return fetcher
  return async (input, init) => {
    const { hostname } = new URL(input instanceof Request ? input.url : String(input))
    if (isPrivate(hostname)) throw privateAddress(name, hostname)
    return fetcher(input, init)
  }
}

/** Returns true for a private address and for a name of this machine. `hostname` comes from a `URL`, which normalizes addresses. */
function isPrivate(hostname: string): boolean {
  const name = hostname.replace(/\.$/, '')
  if (NAMES.test(name)) return true
  return name.startsWith('[') ? PRIVATE_V6.test(name) : PRIVATE_V4.test(name)
}

const NAMES = /^(?:.+\.)?localhost$|^metadata\.google\.internal$/
/**
 * Private IPv4 addresses. Includes carrier-grade NAT, link-local addresses such as cloud metadata services, addresses for protocols
 * and tests within a network, and addresses that don't belong to a single host.
 */
const PRIVATE_V4 =
  /^(?:(?:0|10|127|22[4-9]|2[3-5]\d)\.\d+|169\.254|192\.168|192\.0(?=\.0\.)|198\.1[89]|172\.(?:1[6-9]|2\d|3[01])|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\.\d+\.\d+$/
/** Private IPv6 addresses. Includes addresses that contain an IPv4 address: mapped, translated, and 6to4. */
const PRIVATE_V6 = /^\[(?:::|f[cd]|fe[89a-f]|ff|64:ff9b:|2002:)/
