/** Writes the references that stay, and the definitions that they refer to. */
import { pointerSegment } from '@x/tool-core'
import { isSchema } from '../schema/keywords.ts'
import { toNode } from '../schema/place.ts'
import { POINTS_TO_NOTHING, resolveReference } from '../schema/references.ts'
import type { Held } from './combine.ts'
import type { Output } from './output.ts'

export function writeReference(output: Output, held: Held): void {
  const { rules, root } = output.shaping
  const { references } = rules
  if (rules.strict && resolveReference(held.value, root, undefined) === undefined)
    output.lose('$ref', held, 'refused', POINTS_TO_NOTHING)
  const isAlone = [...output.combined.keys()].every(
    (keyword) => keyword === '$ref' || keyword === '$defs' || keyword === 'definitions',
  )
  if (references?.is === 'alone' && !isAlone) output.set('anyOf', [{ $ref: held.value }])
  else output.set('$ref', held.value)
  if (typeof held.value === 'string') output.plan({ reference: held.value })
}

/** Writes definitions. If the dialect restricts references, writes only those in the root; other references are inlined. */
export function writeDefinitions(output: Output, { value, places: [place] }: Held, keyword: string): void {
  const { shaping, level } = output
  const { references } = shaping.rules
  if (!isSchema(value) || place === undefined || references?.is === 'inlined' || (references !== undefined && level > 0)) return
  const entries = Object.entries(value).map(([name, node]) => {
    const segment = pointerSegment(name)
    const pointer = `/${keyword}/${segment}`
    const path = `${place.path}/${keyword}/${segment}`
    const { schema, plan } = output.inner([{ node: toNode(node), path, trail: { pointer, outer: undefined } }])
    if (level === 0 && plan !== undefined) shaping.plans.set(`#${pointer}`, plan)
    return [name, schema] as const
  })
  output.set(keyword, Object.fromEntries(entries))
}
