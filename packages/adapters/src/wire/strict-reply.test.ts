import { describe, expect, it } from 'vitest'
import type { Loss } from '../shaping/loss.ts'
import { anthropicRules } from './anthropic-messages/rules.ts'
import { strictReplySchema } from './strict-reply.ts'

function shape(schema: Record<string, unknown> | undefined) {
  const losses: Loss[] = []
  return { sent: strictReplySchema({ type: 'json', schema }, anthropicRules, (loss) => losses.push(loss)), losses }
}
const closed = (properties: object) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
})

describe('strictReplySchema', () => {
  it('returns the schema itself if strict mode supports it', () => {
    const schema = closed({ a: { type: 'string' } })
    expect(shape(schema)).toEqual({ sent: schema, losses: [] })
  })

  it('moves unsupported keywords into the description, and reports them', () => {
    const { sent, losses } = shape(closed({ a: { type: 'integer', minimum: 1 } }))
    expect(JSON.stringify(sent)).not.toContain('"minimum":')
    expect(losses).toMatchObject([
      { path: expect.stringMatching(/^\/responseFormat\/schema\/properties\/a/), keyword: 'minimum' },
    ])
  })

  it("returns undefined for a schema that strict mode doesn't support, and for none", () => {
    const recursive = { ...closed({ next: { $ref: '#' } }) }
    for (const schema of [recursive, undefined]) {
      const { sent, losses } = shape(schema)
      expect(sent).toBeUndefined()
      expect(losses).toContainEqual(expect.objectContaining({ path: '/responseFormat', action: 'dropped' }))
    }
  })

  it('shapes a schema once', () => {
    const schema = closed({ a: { type: 'integer', minimum: 1 } })
    expect(shape(schema).sent).toBe(shape(schema).sent)
  })
})
