/** Describes objects without a JSON form. The descriptions replace these objects in an output. */

/**
 * Returns a description such as `[binary, 3 bytes]` or `[stream]`. Undefined for an object whose members can be shown instead. Throws if a
 * getter or a proxy throws.
 */
export function descriptionOf(value: object): string | undefined {
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `[binary, ${value.byteLength} bytes]`
  if (typeof Blob !== 'undefined' && value instanceof Blob) return `[binary, ${value.size} bytes]`
  if (Symbol.asyncIterator in value) return '[stream]'
  if ('then' in value && typeof value.then === 'function') return '[promise]'
  // Leaves out the message and the members, because an HTTP client's error may contain the request with its credentials.
  if (isError(value)) return `[error ${shortName(value.name) ?? 'Error'}]`
  if (typeof Headers !== 'undefined' && value instanceof Headers) return '[Headers]'
  return undefined
}

/** Names the class of an instance that has no visible members: `[WeakMap]`. */
export function classOf(value: object): string {
  const type: unknown = value.constructor
  return `[${(typeof type === 'function' && shortName(type.name)) || 'object'}]`
}

function isError(value: object): value is { name?: unknown } {
  return value instanceof Error || Object.prototype.toString.call(value) === '[object Error]'
}

/** Returns a name only if it is a short identifier. A class may have any name, even a very long one or a secret. */
function shortName(name: unknown): string | undefined {
  return typeof name === 'string' && /^[A-Za-z_$][\w$]{0,49}$/.test(name) ? name : undefined
}
