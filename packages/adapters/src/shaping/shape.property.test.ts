/** Property tests for every schema with the rules of every API. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyParameters } from '../../test/shaping/schemas.ts'
import { anthropicRules } from '../wire/anthropic-messages/rules.ts'
import { bedrockInlinedRules, bedrockRules } from '../wire/bedrock-converse/rules.ts'
import { geminiJsonSchemaRules, geminiRules } from '../wire/gemini/rules.ts'
import { moonshotRules, openaiChatRules, xaiRules } from '../wire/openai-chat/rules.ts'
import { openaiResponsesRules } from '../wire/openai-responses/rules.ts'
import { breaksRule } from './rules/breaks-rule.ts'
import { shapeFor } from './shape.ts'

const RULES = [
  openaiChatRules,
  openaiResponsesRules,
  anthropicRules,
  bedrockRules,
  bedrockInlinedRules,
  geminiRules,
  geminiJsonSchemaRules,
  moonshotRules,
  xaiRules,
]
const numRuns = process.env.X_FULL ? 100 : 30
/** In the form that JSON.parse creates. */
const anyArgs = fc
  .dictionary(fc.constantFrom('a', 'b', 'first_name', '__proto__'), fc.jsonValue())
  .map((args) => JSON.parse(JSON.stringify(args)))
const toSpec = (parameters: Record<string, unknown>) => ({
  type: 'function' as const,
  function: { name: 'tool', description: 'A tool.', parameters },
})

describe.each(RULES.flatMap((rules) => [false, true].map((strict) => ({ id: rules.id, rules, strict }))))(
  '$id, strict: $strict',
  ({ rules, strict }) => {
    it("follows the rules, reports why strict mode isn't used, and changes nothing when it is repeated", () => {
      fc.assert(
        fc.property(anyParameters, (parameters) => {
          const before = JSON.stringify(parameters)
          const shaped = shapeFor(toSpec(parameters), rules, { strict })
          const sent = shaped.tool.function.parameters
          expect(JSON.stringify(parameters)).toBe(before)
          expect(breaksRule(sent, shaped.strict && rules.strict ? rules.strict : rules.schema)).toBeUndefined()
          expect(shaped.losses.some(({ action }) => action === 'refused')).toBe(strict && !shaped.strict)
          const again = shapeFor(toSpec({ ...sent }), rules, { strict: shaped.strict })
          expect(again.tool.function.parameters).toEqual(sent)
        }),
        { numRuns },
      )
    })

    it('restores any arguments without an exception, and leaves them unchanged if `restores` is false', () => {
      fc.assert(
        fc.property(anyParameters, anyArgs, (parameters, args) => {
          const { restore, restores } = shapeFor(toSpec(parameters), rules, { strict })
          const restored = restore(args)
          if (!restores) expect(restored).toBe(args)
          expect(Object.getPrototypeOf(restored)).toBe(Object.getPrototypeOf(args))
        }),
        { numRuns },
      )
    })
  },
)
