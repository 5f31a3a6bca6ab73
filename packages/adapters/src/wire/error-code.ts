/** Chooses the code of a provider's error from several fields. */

/**
 * Returns the first field that names a specific error. If no field does, returns the first field with a value, even if that value only
 * repeats the HTTP status.
 */
export function errorCode(...fields: readonly unknown[]): string | undefined {
  const codes = fields.filter((field) => typeof field === 'number' || (typeof field === 'string' && field !== ''))
  const code = codes.find((field) => typeof field === 'string' && isSpecific(field)) ?? codes[0]
  return code === undefined ? undefined : String(code)
}

/** True unless the code is an HTTP status or the name of a general error class, such as `invalid_request_error`. */
function isSpecific(code: string): boolean {
  if (/^\d+$/.test(code)) return code.length !== 3
  const word = code.toLowerCase().replace(/[^a-z]/g, '')
  const kind = word.replace(/(?:error|exception)$/, '')
  // A relay may use a name of its own, such as `one_api_error`.
  return !STATUS_CLASSES.has(kind) && !kind.endsWith('api')
}

const STATUS_CLASSES: ReadonlySet<string> = new Set([
  ...['', 'none', 'null', 'provider', 'upstream', 'unknown', 'client', 'requests', 'tokens'],
  // Status 400 and similar.
  ...['badrequest', 'invalidrequest', 'invalidargument', 'notfound', 'notsupported', 'conflict', 'unprocessableentity'],
  ...['authentication', 'unauthenticated', 'unauthorized', 'permission', 'permissiondenied', 'forbidden'],
  // Status 429.
  ...['ratelimit', 'toomanyrequests', 'resourceexhausted'],
  // Status 500 and similar.
  ...['server', 'internal', 'internalserver', 'badgateway', 'unavailable', 'serviceunavailable', 'overloaded'],
  ...['timeout', 'gatewaytimeout', 'deadlineexceeded', 'notimplemented'],
])
