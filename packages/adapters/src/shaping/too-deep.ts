/** Is a schema nested so deeply that nothing recursive may touch it? */
import { MAX_DEPTH } from '@x/tool-core'

/** In depth first, so that what holds itself is found at once. */
export function isTooDeep(root: object): boolean {
  const stack: { readonly value: object; readonly depth: number }[] = [{ value: root, depth: 1 }]
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    if (top.depth > MAX_DEPTH) return true
    for (const value of Object.values(top.value)) {
      if (typeof value === 'object' && value !== null) stack.push({ value, depth: top.depth + 1 })
    }
  }
  return false
}
