/** Walks through JSON of any shape, such as a request body or a provider's reply. */

export type Path = readonly (string | number)[]

export interface Place {
  readonly value: unknown
  /** The key or index in the parent. Undefined for the root. */
  readonly key?: string | number
  readonly parent?: Place
}

/** Returns every value, parents first. Uses no recursion. */
export function placesIn(root: unknown): readonly Place[] {
  const places: Place[] = [{ value: root }]
  for (let next = 0; next < places.length; next++) {
    const parent = places[next] as Place
    for (const [key, value] of childrenOf(parent.value)) places.push({ key, value, parent })
  }
  return places
}

export function pathOf(place: Place): Path {
  const path: (string | number)[] = []
  for (let at: Place | undefined = place; at?.key !== undefined; at = at.parent) path.push(at.key)
  return path.reverse()
}

/** Returns the first position whose value JSON can't express. */
export function notJson(root: unknown): Place | undefined {
  return placesIn(root).find(({ value }) => {
    if (typeof value === 'object' && value !== null) return !Array.isArray(value) && !isPlainObject(value)
    return !(
      value === undefined ||
      value === null ||
      typeof value === 'string' ||
      typeof value === 'boolean' ||
      Number.isFinite(value)
    )
  })
}

function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

function childrenOf(value: unknown): readonly (readonly [string | number, unknown])[] {
  if (Array.isArray(value)) return value.map((item, index) => [index, item])
  return typeof value === 'object' && value !== null ? Object.entries(value) : []
}

/** Returns all strings, including those inside strings that contain JSON. */
export function stringsIn(root: unknown): readonly string[] {
  return placesIn(root).flatMap(({ value }) => (typeof value === 'string' ? [value, ...stringsInText(value)] : []))
}

function stringsInText(text: string): readonly string[] {
  if (!text.startsWith('{')) return []
  try {
    return placesIn(JSON.parse(text)).flatMap(({ value }) => (typeof value === 'string' ? [value] : []))
  } catch {
    return []
  }
}

export function holds(root: unknown, text: string): boolean {
  return stringsIn(root).some((found) => found.includes(text))
}

/** Returns the largest part of a value that contains `text` but not `without`, such as a whole call or result. */
export function partWith(root: unknown, text: string, without: string): unknown {
  return placesIn(root).find(({ value }) => holds(value, text) && !holds(value, without))?.value
}

/** Returns a copy with another value at the path. `undefined` removes the value. */
export function replaceAt(root: unknown, path: Path, value: unknown): unknown {
  const [key, ...rest] = path
  if (key === undefined) return value
  if (Array.isArray(root)) return root.map((item, index) => (index === key ? replaceAt(item, rest, value) : item))
  const entries = Object.entries(root as object).map(([name, child]) => [
    name,
    name === key ? replaceAt(child, rest, value) : child,
  ])
  return Object.fromEntries(entries.filter(([, child]) => child !== undefined))
}

/** Returns a copy in which every string that equals `text` is replaced. */
export function replaceText(root: unknown, text: string, replacement: string): unknown {
  return JSON.parse(JSON.stringify(root), (_, value: unknown) => (value === text ? replacement : value))
}

export function deepFreeze<Value>(root: Value): Value {
  for (const { value } of placesIn(root)) if (typeof value === 'object' && value !== null) Object.freeze(value)
  return root
}
