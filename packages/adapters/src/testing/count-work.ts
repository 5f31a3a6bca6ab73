/** Counts the characters that code reads. Checks use this count instead of time, because it is the same on a busy machine. */

/** Methods that read the whole string. */
const WHOLE = ['split', 'replaceAll', 'normalize', 'toLowerCase', 'toUpperCase', 'trim', 'trimStart', 'trimEnd'] as const
/** Methods that read one character. */
const ONE = ['charCodeAt', 'codePointAt', 'charAt', 'at'] as const

/**
 * Calls `part`, which must be synchronous. Returns the number of characters that string methods, regular expressions and JSON functions
 * read during the call.
 */
export type CountWork = (part: () => void) => number

/**
 * Calls `run` with a function that counts work. Replaces the counted methods only once for all parts, because that takes longer
 * than most parts.
 */
export function withWorkCounter(run: (count: CountWork) => void): void {
  const work = { count: 0 }
  const restore = [...patchTexts(work), ...patchSearches(work), ...patchOthers(work)]
  try {
    run((part) => {
      const before = work.count
      part()
      return work.count - before
    })
  } finally {
    for (const undo of restore) undo()
  }
}

interface Work {
  count: number
}

type Method = (this: unknown, ...given: unknown[]) => unknown

/** Wraps a method, and returns a function that restores it. */
function wrap(owner: object, key: PropertyKey, around: (method: Method) => Method): () => void {
  const descriptor = Object.getOwnPropertyDescriptor(owner, key) as PropertyDescriptor
  Object.defineProperty(owner, key, { ...descriptor, value: around(descriptor.value as Method) })
  return () => {
    Object.defineProperty(owner, key, descriptor)
  }
}

function patchTexts(work: Work): readonly (() => void)[] {
  const count = (key: PropertyKey, units: (text: string) => number) =>
    wrap(
      String.prototype,
      key,
      (method) =>
        function (...given) {
          work.count += units(String(this))
          return method.apply(this, given)
        },
    )
  return [
    ...ONE.map((key) => count(key, () => 1)),
    ...[...WHOLE, Symbol.iterator].map((key) => count(key, ({ length }) => length)),
  ]
}

/** Counts the characters between the start and the end of each search. */
function patchSearches(work: Work): readonly (() => void)[] {
  const search = (key: 'indexOf' | 'includes' | 'lastIndexOf') =>
    wrap(String.prototype, key, (method) => {
      return function (...given) {
        const text = String(this)
        const result = method.apply(this, given)
        const from = Number(given[1] ?? (key === 'lastIndexOf' ? text.length : 0))
        const found = key === 'includes' ? text.indexOf(String(given[0]), from) : Number(result)
        if (key === 'lastIndexOf') work.count += Math.max(0, from - Math.max(0, found))
        else if (key === 'indexOf') work.count += Math.max(0, (found < 0 ? text.length : found) - from)
        return result
      }
    })
  const exec = wrap(RegExp.prototype, 'exec', (method) => {
    return function (this: unknown, ...given) {
      const pattern = this as RegExp
      const text = String(given[0])
      const start = pattern.global || pattern.sticky ? pattern.lastIndex : 0
      const match = method.apply(this, given) as RegExpExecArray | null
      const last = pattern.sticky ? start + 1 : text.length
      work.count += Math.max(0, (match === null ? last : match.index + match[0].length) - start)
      return match
    }
  })
  return [search('includes'), search('indexOf'), search('lastIndexOf'), exec]
}

function patchOthers(work: Work): readonly (() => void)[] {
  const parse = wrap(JSON, 'parse', (method) => {
    return function (...given) {
      work.count += String(given[0]).length
      return method.apply(this, given)
    }
  })
  const join = wrap(Array.prototype, 'join', (method) => {
    return function (...given) {
      const text = method.apply(this, given) as string
      work.count += text.length
      return text
    }
  })
  return [parse, join]
}
