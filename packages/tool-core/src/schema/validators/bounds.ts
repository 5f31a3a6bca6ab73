/** What is refused before a validator sees it: depth, size, and keys that reach prototypes. */
import { forbiddenKeyOf, MAX_CHARACTERS, MAX_DEPTH, MAX_VALUES } from '../../args/faults.ts'
import { isInstance } from '../../call/own-copy.ts'
import type { Issue } from '../issue.ts'
import { pointerSegment } from '../pointer.ts'

interface Place {
  readonly value: object
  readonly depth: number
  /** JSON pointer of the value. */
  readonly path: string
}

/** The first thing that no schema may let pass. Walks plain objects and lists, with a stack of its own: recursion overflows. */
export function beyondBounds(root: unknown): Issue | undefined {
  const stack: Place[] = []
  let values = 0
  let characters = 0
  const visit = (value: unknown, depth: number, path: () => string): void => {
    values++
    if (typeof value === 'string') characters += value.length
    else if (isPlain(value)) stack.push({ value, depth, path: path() })
  }
  visit(root, 0, () => '')
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    const { value, depth, path } = top
    if (depth > MAX_DEPTH) return { path: '', ...TOO_DEEP }
    const forbidden = forbiddenKeyOf(value)?.split('.')[0]
    if (forbidden !== undefined) return { path: `${path}/${forbidden}`, ...FORBIDDEN }
    for (const [key, child] of Object.entries(value)) {
      characters += key.length
      visit(child, depth + 1, () => `${path}/${pointerSegment(key)}`)
      if (values > MAX_VALUES || characters > MAX_CHARACTERS) return { path: '', ...TOO_LARGE }
    }
  }
  return characters > MAX_CHARACTERS ? { path: '', ...TOO_LARGE } : undefined
}

export const FORBIDDEN = { keyword: 'forbidden', message: 'is a forbidden key' }
export const TOO_DEEP = {
  keyword: 'depth',
  message: `must NOT be nested deeper than ${MAX_DEPTH} levels`,
  expected: `at most ${MAX_DEPTH} levels`,
}
export const TOO_LARGE = {
  keyword: 'size',
  message: `must NOT have more than ${MAX_VALUES} values or ${MAX_CHARACTERS} characters`,
  expected: `at most ${MAX_VALUES} values and ${MAX_CHARACTERS} characters`,
}

/** An instance of a class is one value: what it holds is its own affair. */
export function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !isInstance(value)
}
