/** Checks that everything in a request, besides its messages, is either sent or reported as a loss. */
import type { LMRequest, Settings, ToolChoice } from '../../protocol/protocol.ts'
import type { Loss, LossAction } from '../../shaping/loss.ts'
import { ensure, ensureSame } from '../contract-error.ts'
import { conversation, FOREIGN_TOOLS, question, TOOL } from '../contract-requests.ts'
import { deepFreeze, placesIn } from '../json-walk.ts'
import type { CheckDefinition, Subject } from '../wire-check.ts'

const SETTINGS: Required<Settings> = {
  temperature: 0.125,
  topP: 0.375,
  topK: 17,
  maxOutputTokens: 1_234,
  stop: ['contract-stop'],
  seed: 4_321,
  presencePenalty: 0.625,
  frequencyPenalty: 0.875,
}

const SCHEMA = {
  type: 'object',
  properties: { contract_field: { type: 'string' } },
  required: ['contract_field'],
  additionalProperties: false,
}

function assertSetting({ wire, model }: Subject, name: keyof Settings, settings: Settings, where: string): void {
  const value = SETTINGS[name]
  const { body, losses } = encode({ wire, model }, question({ settings }))
  const wanted: unknown = Array.isArray(value) ? value[0] : value
  const isSent = placesIn(body).some(({ value: found }) => found === wanted)
  const isLost = losses.some(({ path }) => path === `/settings/${name}`)
  ensure(isSent || isLost, `the setting ${name}, ${where}, is neither sent nor reported as a loss at /settings/${name}`)
}

export const OPTION_CHECKS: readonly CheckDefinition[] = [
  {
    id: 'settings',
    name: 'each setting is sent, or reported as a loss, alone and together with all others',
    check(subject) {
      for (const name of Object.keys(SETTINGS) as (keyof Settings)[]) {
        assertSetting(subject, name, { [name]: SETTINGS[name] }, 'alone')
        assertSetting(subject, name, SETTINGS, 'together with all others')
      }
    },
  },
  {
    id: 'tool-options',
    name: 'a tool choice, one call at a time and strict tools change the body, or are reported as a loss',
    check({ wire, model }) {
      const plain = wire.encode(question({ tools: [TOOL] }), model)
      const asked: Partial<LMRequest>[] = [
        { toolChoice: 'required' },
        { toolChoice: 'none' },
        { toolChoice: { name: TOOL.function.name } },
        { parallelToolCalls: false },
        { strictTools: true },
      ]
      for (const extra of asked) {
        const { body, losses } = encode({ wire, model }, question({ tools: [TOOL], ...extra }))
        const isSent = JSON.stringify(body) !== JSON.stringify(plain)
        const [key = ''] = Object.keys(extra)
        // Strict mode is reported as a loss for each tool.
        const isLost = losses.some(
          ({ path, keyword }) => path.startsWith(`/${key}`) || (extra.strictTools && keyword === 'strict'),
        )
        ensure(isSent || isLost, `${JSON.stringify(extra)} is neither sent nor reported as a loss`)
      }
    },
  },
  {
    id: 'tool-choice',
    name: 'each tool choice is sent differently, or reported as a loss',
    check: checkToolChoice,
  },
  {
    id: 'response-format',
    name: 'a JSON reply is requested, with tools too, or the request is reported as a loss',
    check: checkResponseFormat,
  },
  {
    id: 'provider-options',
    name: 'provider options are merged into the body, object by object, without changing a prototype',
    check: checkProviderOptions,
  },
  {
    id: 'losses',
    name: 'each loss has a path, a keyword and an action',
    check({ wire, model }) {
      const request = conversation({
        tools: [TOOL],
        ...{ toolChoice: { name: TOOL.function.name }, parallelToolCalls: false, strictTools: true, settings: SETTINGS },
        responseFormat: { type: 'json', schema: SCHEMA, name: 'contract', description: 'Contract.' },
      })
      for (const loss of encode({ wire, model }, request).losses) {
        const isWhole = (loss.path === '' || loss.path.startsWith('/')) && typeof loss.keyword === 'string' && loss.keyword !== ''
        ensure(isWhole && ACTIONS.includes(loss.action), 'a loss has no path, keyword or action', { found: loss })
      }
    },
  },
]

function checkResponseFormat({ wire, model }: Subject): void {
  const about = { name: 'contract_name', description: 'Contract description.' }
  for (const tools of [undefined, [TOOL]]) {
    const plain = wire.encode(question({ tools }), model)
    for (const more of [{}, { schema: SCHEMA }, { schema: SCHEMA, ...about }]) {
      const { body, losses } = encode({ wire, model }, question({ tools, responseFormat: { type: 'json', ...more } }))
      const text = JSON.stringify(body)
      const isLost = (field: string) =>
        losses.some(
          ({ path, keyword }) => path === '/responseFormat' || `${path}/${keyword}`.startsWith(`/responseFormat${field}`),
        )
      ensure(text !== JSON.stringify(plain) || isLost(''), 'a JSON reply is neither requested nor reported as a loss')
      // Some APIs expect the schema as a string.
      const inSchema = { schema: 'contract_field', 'schema/additionalProperties': 'additionalProperties' }
      const wanted = { ...('schema' in more && inSchema), ...('name' in more && about) }
      for (const [field, words] of Object.entries(wanted))
        ensure(text.includes(words) || isLost(`/${field}`), `\`responseFormat.${field}\` is neither sent nor reported as a loss`)
    }
  }
}

/** Checks tool choices with two tools. With only one, requiring that tool would be the same as requiring any tool. */
function checkToolChoice({ wire, model }: Subject): void {
  const tools = FOREIGN_TOOLS.slice(0, 2)
  const choices: readonly ToolChoice[] = ['auto', 'none', 'required', ...tools.map((tool) => ({ name: tool.function.name }))]
  const sent = new Map<string, ToolChoice>()
  for (const toolChoice of choices) {
    const { body, losses } = encode({ wire, model }, question({ tools, toolChoice }))
    if (losses.some(({ path }) => path.startsWith('/toolChoice'))) continue
    const text = JSON.stringify(body)
    const other = sent.get(text)
    ensure(other === undefined, `the choice ${JSON.stringify(toolChoice)} is sent as ${JSON.stringify(other)}`, { found: body })
    sent.set(text, toolChoice)
  }
}

const ACTIONS: readonly LossAction[] = ['kept', 'moved_to_description', 'widened', 'replaced', 'assumed', 'dropped', 'refused']

function encode({ wire, model }: Pick<Subject, 'wire' | 'model'>, request: LMRequest) {
  const losses: Loss[] = []
  return { body: wire.encode(request, model, { onLoss: (loss) => losses.push(loss) }), losses }
}

function checkProviderOptions({ wire, model }: Subject): void {
  const plain = wire.encode(question(), model) as Record<string, unknown>
  const hostile =
    '{"contract":{"deep":{"value":1}},"__proto__":{"polluted":true},"contract_more":{"__proto__":{"polluted":true}}}'
  const body = wire.encode(question({ providerOptions: deepFreeze(JSON.parse(hostile)) }), model) as Record<string, unknown>
  ensureSame(body.contract, { deep: { value: 1 } }, 'providerOptions.contract is not in the body')
  ensure(!('polluted' in {}), 'providerOptions changed Object.prototype')
  ensure(
    Object.getPrototypeOf(body) === Object.prototype && body.polluted === undefined,
    'providerOptions changed the prototype of the body',
  )
  for (const [key, value] of Object.entries(plain)) {
    ensureSame(body[key], value, `providerOptions without \`${key}\` changed \`${key}\``)
    const replaced = wire.encode(question({ providerOptions: { [key]: 'contract' } }), model) as Record<string, unknown>
    ensure(replaced[key] === 'contract', `providerOptions do not replace \`${key}\``)
  }
}
