/** Checks each HTTP request before the protocol handles it: host, origin and authorization. */
import type { AuthInfo } from '@modelcontextprotocol/server'
import type { Sdk } from './connection.ts'
import { type Authorization, LOOPBACK, type ServerSettings } from './options.ts'

/** Returns the authorization that the SDK passes to the handlers, or a response that refuses the request. */
export async function admit(request: Request, sdk: Sdk, settings: ServerSettings): Promise<AuthInfo | Response> {
  const { allowedHosts, allowedOrigins, authorize, report } = settings
  // A `Request` that a program created has no `Host` header.
  const given = request.headers.get('host') ?? new URL(request.url).host
  // The SDK parses the header as a URL, and would ignore a path in it.
  if (/[^\w.:[\]-]/.test(given)) return refused(403, 'The Host header is not a host.')
  const host = sdk.validateHostHeader(given, [...allowedHosts])
  if (!host.ok) return refused(403, host.message)
  if (!isAllowedOrigin(request.headers.get('origin'), allowedOrigins)) return refused(403, 'The Origin is not allowed.')
  try {
    const authorized = authorize === undefined ? {} : await authorize(request)
    return authorized instanceof Response ? authorized : toAuthInfo(authorized)
  } catch (error) {
    report(error)
    return refused(500, 'The request could not be authorized.')
  }
}

/**
 * Compares scheme, host and port, because a page of another port or over HTTP may belong to someone else. Only the names of this machine
 * allow HTTP, HTTPS and any port.
 */
function isAllowedOrigin(given: string | null, allowed: readonly string[]): boolean {
  // Only browsers send an origin.
  if (!given) return true
  if (!URL.canParse(given)) return false
  const { protocol, host, hostname } = new URL(given)
  if (/^https?:$/.test(protocol) && LOOPBACK.includes(hostname) && allowed.includes(hostname)) return true
  const origin = `${protocol}//${host}`
  return allowed.some((one) => origin === (one.includes('://') ? one : `https://${one}`))
}

/**
 * Converts the result of `authorize` to the SDK's format. Throws for an invalid result, such as undefined or another library's
 * response.
 */
function toAuthInfo(authorized: Authorization): AuthInfo {
  const { subject = '', values } = authorized ?? {}
  if (Object.prototype.toString.call(authorized) !== '[object Object]' || typeof subject !== 'string')
    throw new TypeError('authorize must return { subject, values }, with a string as subject, or a Response.')
  return { token: '', clientId: subject, scopes: [], extra: { values } }
}

export function refused(status: number, message: string): Response {
  return Response.json({ jsonrpc: '2.0', error: { code: -32_000, message }, id: null }, { status })
}
