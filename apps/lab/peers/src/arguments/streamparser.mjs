/** @streamparser/json with partial values: the open string is inserted at its position, and the rest is already there. */
import { JSONParser } from '@streamparser/json'

export function read({ deltas }, show) {
  const parser = new JSONParser({ emitPartialTokens: true, emitPartialValues: true })
  let root
  parser.onValue = ({ value, key, parent, stack, partial }) => {
    root = stack.length > 1 ? stack[1].value : (parent ?? value)
    // In a list, the string would appear twice, because it is pushed again once it is complete.
    if (partial && typeof value === 'string' && !Array.isArray(parent)) parent[key] = value
  }
  for (const delta of deltas) {
    parser.write(delta)
    show(root)
  }
  return root
}
