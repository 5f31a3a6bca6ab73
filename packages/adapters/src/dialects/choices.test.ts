/** Tests values of a parameter that the choices of a tool's schema declare with different types. */
import { describe, expect, it } from 'vitest'
import { readPieces } from '../testing/dialect-checks/reading.ts'
import * as all from './index.ts'

const DIALECTS = [
  ...[all.deepseekV4, all.glm45, all.glm47, all.hunyuanV3, all.kExaone2, all.kimiK3, all.minimaxM2, all.minimaxM3],
  ...[all.morphXml, all.poolsideV1, all.qwen3Coder, all.seedOss, all.step3, all.gemma4],
]

const TEXT = toChoice({ const: 'text' }, { type: 'string' })
const COUNT = toChoice({ enum: ['count', 'sum'] }, { type: 'integer' })
const LIST = toChoice({ const: 'list' }, { type: 'array', items: { type: 'integer' } })

function toChoice(kind: object, value: object) {
  return { type: 'object', properties: { kind, value }, required: ['kind', 'value'] }
}

const PARAMETERS = [
  { anyOf: [TEXT, COUNT, LIST] },
  { type: 'object', oneOf: [LIST, COUNT, TEXT] },
  { anyOf: [{ $ref: '#/$defs/count' }, { $ref: '#/$defs/text' }, LIST], $defs: { text: TEXT, count: COUNT } },
]

describe.each(DIALECTS)('$name', (dialect) => {
  it.each(PARAMETERS)('reads a value of the choice that the other values show: %j', (parameters) => {
    const tools = [{ type: 'function' as const, function: { name: 'f', description: '', parameters } }]
    for (const args of [
      { kind: 'text', value: '5' },
      { kind: 'text', value: 'null' },
      { kind: 'text', value: '[5]' },
      { kind: 'sum', value: 5 },
      { kind: 'list', value: [5, 6] },
      { value: '5', kind: 'text' },
      { value: '[5]', kind: 'text' },
      { value: 5, kind: 'count' },
      { value: [5, 6], kind: 'list' },
    ]) {
      const formatted = dialect.formatCall({ id: '', name: 'f', arguments: JSON.stringify(args) })
      const text = formatted.ok ? formatted.text : ''
      const { toolCalls } = dialect.parse(text, { tools })
      expect(toolCalls.map((call) => JSON.parse(call.arguments))).toEqual([args])
      expect(readPieces(dialect, [...text], { tools }).toolCalls).toEqual(toolCalls)
    }
  })
})
