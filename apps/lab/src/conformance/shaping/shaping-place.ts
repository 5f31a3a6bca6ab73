/** Finds the nodes of an original schema that correspond to a node of a converted schema, through references, parts and choices. */
import { pointerSegment, targetOf, valueAt } from '@x/tool-core'

export type Node = Readonly<Record<string, unknown>>

/** All nodes of the original that describe the same value, with their JSON pointers. */
export type Place = readonly { readonly node: Node; readonly path: string; readonly root: Node }[]

export function placeOf(root: Node): Place {
  return expand([{ node: root, path: '', root }])
}

/**
 * Returns the place one level deeper. If the converter added a choice (`anyOf` or `oneOf`), the place stays the same, because the choice
 * describes the same value.
 */
export function placeAt(place: Place, keyword: string, key?: string): Place {
  const steps = key === undefined ? [keyword] : [keyword, key]
  const inner = place.flatMap(({ node, path, root }) => {
    const value = valueAt(node, steps)
    return isNode(value)
      ? [{ node: value, path: `${path}${steps.map((step) => `/${pointerSegment(step)}`).join('')}`, root }]
      : []
  })
  return inner.length === 0 && CHOICES.includes(keyword) ? place : expand(inner)
}

const CHOICES = ['anyOf', 'oneOf']

function expand(place: Place): Place {
  const found = new Map<Node, Place[number]>()
  const open = [...place]
  for (let view = open.pop(); view !== undefined; view = open.pop()) {
    const { node, path, root } = view
    if (found.has(node)) continue
    found.set(node, view)
    for (const keyword of ['allOf', ...CHOICES]) {
      const list = node[keyword]
      if (!Array.isArray(list)) continue
      for (const [index, part] of list.entries())
        if (isNode(part)) open.push({ node: part, path: `${path}/${keyword}/${index}`, root })
    }
    const reference = String(node.$ref)
    const target = targetOf(reference, root)
    if (isNode(target)) open.push({ node: target, path: reference.slice(1), root })
  }
  return [...found.values()]
}

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
