/** Enforces limits before validation: on depth, on size, and on keys that could change a prototype. */
import { forbiddenKeyOf, MAX_CHARACTERS, MAX_DEPTH, MAX_VALUES } from '../../faults.ts'
import type { Issue } from '../issue.ts'
import { pointerOf } from '../pointer.ts'
import { isInstance } from '../schema.ts'

interface Place {
  readonly value: object
  readonly depth: number
  readonly key: string | number
  readonly parent: Place | undefined
}

/** Returns an issue for the first limit that the value exceeds. Uses an explicit stack, because recursion could overflow. */
export function beyondBounds(root: unknown): Issue | undefined {
  const stack: Place[] = []
  let values = 0
  let characters = 0
  const visit = (value: unknown, key: string | number, parent?: Place): void => {
    values++
    if (typeof value === 'string') characters += value.length
    else if (isPlain(value)) stack.push({ value, depth: parent === undefined ? 0 : parent.depth + 1, key, parent })
  }
  const isTooLarge = () => values > MAX_VALUES || characters > MAX_CHARACTERS
  visit(root, '')
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    const { value, depth } = top
    if (depth > MAX_DEPTH) return { path: '', ...TOO_DEEP }
    const forbidden = forbiddenKeyOf(value)?.split('.')[0]
    if (forbidden !== undefined) return { path: pathOf(top, forbidden), ...FORBIDDEN }
    if (Array.isArray(value)) {
      for (let index = 0; index < value.length && !isTooLarge(); index++) visit(value[index], index, top)
    } else {
      for (const key of Object.keys(value)) {
        characters += key.length
        visit(value[key as keyof object], key, top)
        if (isTooLarge()) break
      }
    }
    if (isTooLarge()) return { path: '', ...TOO_LARGE }
  }
  return isTooLarge() ? { path: '', ...TOO_LARGE } : undefined
}

function pathOf(place: Place, key: string): string {
  const keys: (string | number)[] = [key]
  for (let at = place; at.parent !== undefined; at = at.parent) keys.push(at.key)
  return pointerOf(keys.reverse())
}

export const FORBIDDEN = { keyword: 'forbidden', message: 'is a forbidden key' }
export const TOO_DEEP = {
  keyword: 'depth',
  message: `must NOT be nested deeper than ${MAX_DEPTH} levels`,
  expected: `at most ${MAX_DEPTH} levels`,
}
const TOO_LARGE = {
  keyword: 'size',
  message: `must NOT have more than ${MAX_VALUES} values or ${MAX_CHARACTERS} characters`,
  expected: `at most ${MAX_VALUES} values and ${MAX_CHARACTERS} characters`,
}

/** True for a plain object or an array. An instance of a class counts as a single value, regardless of its content. */
export function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !isInstance(value)
}
