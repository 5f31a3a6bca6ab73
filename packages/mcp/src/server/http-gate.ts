/** Checks each HTTP request before the protocol handles it: host, origin and authorization. */
import type { AuthInfo } from '@modelcontextprotocol/server'
import type { Sdk } from './connection.ts'
import type { Authorization, ServerSettings } from './options.ts'

/** Returns the authorization that the SDK passes to the handlers, or a response that refuses the request. */
export async function admit(request: Request, sdk: Sdk, settings: ServerSettings): Promise<AuthInfo | Response> {
  const { allowedHosts, allowedOrigins, authorize, report } = settings
  // A `Request` that a program created has no `Host` header.
  const given = request.headers.get('host') ?? new URL(request.url).host
  // The SDK parses the header as a URL, and would ignore a path in it.
  if (/[^\w.:[\]-]/.test(given)) return refused(403, 'The Host header is not a host.')
  const host = sdk.validateHostHeader(given, [...allowedHosts])
  if (!host.ok) return refused(403, host.message)
  const origin = sdk.validateOriginHeader(request.headers.get('origin'), [...allowedOrigins])
  if (!origin.ok) return refused(403, origin.message)
  try {
    const authorized = authorize === undefined ? {} : await authorize(request)
    return authorized instanceof Response ? authorized : toAuthInfo(authorized)
  } catch (error) {
    report(error)
    return refused(500, 'The request could not be authorized.')
  }
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
