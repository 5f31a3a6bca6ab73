/** @streamparser/json with partial values: adds the open string to the tree, which already contains everything before it. */
import { JSONParser } from '@streamparser/json'

export function read({ deltas }, show) {
  const parser = new JSONParser({ emitPartialTokens: true, emitPartialValues: true })
  let root
  parser.onValue = ({ value, key, parent, stack, partial }) => {
    root = stack.length > 1 ? stack[1].value : (parent ?? value)
    // In a list, the string would appear twice, because the parser pushes it again once it is complete.
    if (partial && typeof value === 'string' && !Array.isArray(parent)) parent[key] = value
  }
  for (const delta of deltas) {
    parser.write(delta)
    show(root)
  }
  return root
}
