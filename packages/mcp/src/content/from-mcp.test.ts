import { text } from '@x/tool-core'
import { expect, it } from 'vitest'
import { isLinear } from '../../../tool-core/test/growth.ts'
import { toModelOutput } from './from-mcp.ts'

/** A server's answer may have 512 levels. Those of the large answer that is compared: */
const LEVELS = 480

/** An answer of `levels` objects in one another, around a list that grows with them. */
function answerOf(levels: number, leaf: string, inner: (list: readonly string[]) => object) {
  let data: object = inner(Array.from({ length: levels * 50 }, () => leaf))
  for (let level = 0; level < levels; level++) data = { data }
  return { content: [text('shown')], structuredContent: data }
}

it.each<[what: string, leaf: string, inner: (list: readonly string[]) => object]>([
  ['strings that its parts show', 'shown', (list) => list],
  ['strings that its parts lack', 'other', (list) => list],
  ['objects', 'shown', (list) => list.map((one) => ({ one }))],
])('shows an answer with deeply nested %s in linear time', (_, leaf, inner) => {
  const answers = new Map([LEVELS / 32, LEVELS].map((levels) => [levels, answerOf(levels, leaf, inner)]))
  expect(isLinear((levels) => toModelOutput(answers.get(levels) as never), LEVELS / 32)).toBe(true)
  expect(toModelOutput(answerOf(2, leaf, (list) => list.slice(0, 1)))).toBe(
    leaf === 'shown' ? 'shown' : 'shown\n{"data":{"data":["other"]}}',
  )
})
