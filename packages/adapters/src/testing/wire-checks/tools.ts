/** Checks requests without tools, with tools, and with tool names that the API doesn't accept. */
import type { Loss } from '../../shaping/loss.ts'
import type { WireFormat } from '../../wire/wire-format.ts'
import { ensure, ensureSame } from '../contract-error.ts'
import { conversation, describe, FOREIGN_TOOLS, question, TOOL } from '../contract-requests.ts'
import { placesIn, replaceText, stringsIn } from '../json-walk.ts'
import { readEvents } from '../read-events.ts'
import { learnNamePlace, type NameReader } from '../tool-names.ts'
import type { CheckDefinition, Subject } from '../wire-check.ts'

export const TOOL_CHECKS: readonly CheckDefinition[] = [
  {
    id: 'no-tools',
    name: 'T4-3: without tools, the body does not mention tools, and a forced call is reported as a loss',
    check({ wire, model }) {
      const plain = wire.encode(question(), model)
      for (const toolChoice of ['auto', 'required', 'none', { name: 'x' }] as const) {
        const request = question({ tools: [], toolChoice, parallelToolCalls: false, strictTools: true })
        const losses: Loss[] = []
        const body = wire.encode(request, model, { onLoss: (loss) => losses.push(loss) })
        ensureSame(body, plain, 'an empty list of tools')
        const isForced = toolChoice === 'required' || typeof toolChoice === 'object'
        const isLost = losses.some(({ path }) => path === '/toolChoice')
        ensure(isLost || !isForced, 'a call is forced without tools, and no loss is reported at /toolChoice')
      }
    },
  },
  {
    id: 'tools-sent',
    name: 'each tool is sent with its name, description and parameters',
    check({ wire, model }) {
      namePlace(wire, model)
      const body = wire.encode(question({ tools: [TOOL] }), model)
      ensure(
        placesIn(body).some(({ key }) => key === 'query'),
        'the parameters of the tool are missing',
      )
    },
  },
  {
    id: 'names-legal',
    name: 'names that the API does not accept are replaced with accepted names, which differ for each tool',
    check({ wire, model }) {
      const names = wireNames({ wire, model })
      ensure(new Set(names).size === names.length, 'two tools are sent under the same name', { found: names })
      const rules = wire.toolRules?.(model).names
      if (rules === undefined) return
      for (const name of names) {
        const isLegal = name.length <= rules.maxLength && rules.pattern.test(name)
        ensure(isLegal, `the name ${JSON.stringify(name)} is not a name that the API accepts`)
      }
    },
  },
  {
    id: 'names-in-messages',
    name: 'calls and results in old messages contain the name that is sent for the tool',
    check({ wire, model }) {
      const [, , , long] = FOREIGN_TOOLS
      const { name } = (long as typeof TOOL).function
      const wireName = wireNames({ wire, model })[3] as string
      const body = wire.encode(conversation({ tools: FOREIGN_TOOLS }, name), model)
      const calls = placesIn(body).filter(({ key, value }) => value === wireName || key === wireName).length
      ensure(calls > 2, `the calls do not have the name ${JSON.stringify(wireName)} of their tool`, { found: calls })
      ensure(wireName === name || !stringsIn(body).includes(name), 'a message has a name that the API does not accept')
    },
  },
  {
    id: 'names-restored',
    name: "a call's name is mapped back to the name of its tool",
    check: checkRestored,
  },
]

function checkRestored({ wire, model, samples }: Subject): void {
  const request = question({ tools: FOREIGN_TOOLS })
  const names = wireNames({ wire, model })
  for (const { name: sample, reply, events, calls } of samples.filter(({ calls: found }) => found.length > 0)) {
    const written = calls[0]?.name as string
    for (const [index, wireName] of names.entries()) {
      const own = FOREIGN_TOOLS[index]?.function.name
      const found = [
        ...(reply === undefined ? [] : [wire.decode(replaceText(reply, written, wireName), request, model)]),
        ...(events === undefined ? [] : [readEvents(wire, replaceText(events, written, wireName) as unknown[], request, model)]),
      ]
      for (const { toolCalls } of found)
        ensure(toolCalls[0]?.name === own, `${sample}: a call to ${wireName} must become a call to ${own}`, {
          expected: own,
          found: toolCalls[0]?.name,
        })
    }
  }
}

function wireNames({ wire, model }: Pick<Subject, 'wire' | 'model'>): readonly string[] {
  const nameOf = namePlace(wire, model)
  const body = wire.encode(question({ tools: FOREIGN_TOOLS }), model)
  return FOREIGN_TOOLS.map((_, number) => {
    const name = nameOf(body, describe(number))
    ensure(name !== undefined, `the tool with the description ${JSON.stringify(describe(number))} is not sent with a name`)
    return name
  })
}

/** Finds where the wire format writes tool names. Searches for a name that every API accepts, because it is sent unchanged. */
function namePlace(wire: WireFormat, model: string): NameReader {
  const nameOf = learnNamePlace(wire.encode(question({ tools: [TOOL] }), model), describe(0), TOOL.function.name)
  ensure(nameOf !== undefined, 'the tool is missing, or its name is not next to its description')
  return nameOf
}
