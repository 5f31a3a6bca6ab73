/** Checks that nothing in a tool's schema or a message is dropped silently. */
import type { ToolSpec } from '@x/tool-core'
import type { Loss } from '../../shaping/loss.ts'
import { ensure } from '../contract-error.ts'
import { question, WORDS } from '../contract-requests.ts'
import { deepFreeze, holds, type Place, placesIn } from '../json-walk.ts'
import type { CheckDefinition, Subject } from '../wire-check.ts'

export const LOSS_CHECKS: readonly CheckDefinition[] = [
  {
    id: 'losses-schema',
    name: "each keyword of a tool's schema is sent, or reported as a loss",
    check({ wire, model }) {
      for (const strictTools of [undefined, true]) {
        const losses: Loss[] = []
        const body = wire.encode(question({ tools: [TOOL], strictTools }), model, { onLoss: (loss) => losses.push(loss) })
        const places = placesIn(body)
        for (const [keyword, value] of KEYWORDS) {
          const isLost = losses.some((loss) => loss.keyword === keyword)
          // Some APIs expect a constant as a list with one value, and a count as a string.
          const isSent = places.some(
            (place) =>
              typeof place.value !== 'object' && String(place.value) === String(value) && keysOf(place).includes(keyword),
          )
          ensure(isSent || isLost, `the keyword \`${keyword}\` is neither sent nor reported as a loss`, {
            found: losses,
          })
        }
      }
    },
  },
  {
    id: 'losses-reasoning',
    name: 'the reasoning of another provider is sent, or reported as a loss',
    check: checkReasoning,
  },
]

function keysOf({ key, parent }: Place): readonly unknown[] {
  return parent?.key === 'enum' ? ['enum', 'const'] : [key]
}

/** Keywords whose values occur nowhere else in the body. */
const KEYWORDS: readonly (readonly [string, string | number | boolean])[] = [
  ['pattern', '^contract-pattern$'],
  ['default', 'contract-default'],
  ['const', 'contract-const'],
  ['enum', 'contract-enum'],
  ['maxLength', 771],
  ['minimum', 12.75],
  ['maximum', 977.25],
  ['multipleOf', 0.125],
  ['maxItems', 883],
  ['additionalProperties', false],
]

const TOOL: ToolSpec = deepFreeze({
  type: 'function',
  function: {
    name: 'contract_keywords',
    description: 'Contract tool with keywords.',
    parameters: {
      type: 'object',
      properties: {
        text: { type: 'string', pattern: '^contract-pattern$', default: 'contract-default', maxLength: 771 },
        number: { type: 'number', minimum: 12.75, maximum: 977.25, multipleOf: 0.125 },
        fixed: { const: 'contract-const' },
        list: { type: 'array', items: { type: 'string', enum: ['contract-enum', 'other'] }, maxItems: 883 },
      },
      required: ['text', 'number', 'fixed', 'list'],
      additionalProperties: false,
    },
  },
})

function checkReasoning({ wire, model }: Subject): void {
  const losses: Loss[] = []
  const messages = [
    { role: 'user', content: WORDS.question },
    { role: 'assistant', content: WORDS.answer, reasoning: 'contract-reasoning-words' },
    { role: 'user', content: 'And now?' },
  ] as const
  const body = wire.encode(deepFreeze({ messages }), model, { onLoss: (loss) => losses.push(loss) })
  const isLost = losses.some(({ path }) => path === '/messages/1/reasoning')
  ensure(holds(body, 'contract-reasoning-words') || isLost, 'the reasoning is neither sent nor reported as a loss')
}
