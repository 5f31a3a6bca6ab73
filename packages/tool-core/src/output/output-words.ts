/** Words that stand in an output for what has no JSON form although it is an object. */

/** `[binary, 3 bytes]`, `[stream]`; `undefined` for what may have members to show. Throws what a getter or a proxy throws. */
export function descriptionOf(value: object): string | undefined {
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `[binary, ${value.byteLength} bytes]`
  if (typeof Blob !== 'undefined' && value instanceof Blob) return `[binary, ${value.size} bytes]`
  if (Symbol.asyncIterator in value) return '[stream]'
  if ('then' in value && typeof value.then === 'function') return '[promise]'
  // Its message and members may hold what no model should read: an HTTP client's hold the request with its credentials.
  if (isError(value)) return `[error ${shortName(value.name) ?? 'Error'}]`
  if (typeof Headers !== 'undefined' && value instanceof Headers) return '[Headers]'
  return undefined
}

/** `[WeakMap]`: all that there is to say of an instance that shows no members. */
export function classOf(value: object): string {
  const type: unknown = value.constructor
  return `[${(typeof type === 'function' && shortName(type.name)) || 'object'}]`
}

function isError(value: object): value is { name?: unknown } {
  return value instanceof Error || Object.prototype.toString.call(value) === '[object Error]'
}

/** A name may be anything that its class says: a long text, a secret. */
function shortName(name: unknown): string | undefined {
  return typeof name === 'string' && /^[A-Za-z_$][\w$]{0,49}$/.test(name) ? name : undefined
}
