/** Checks calls in a conversation: results are matched with their calls, errors are marked, and arguments may be invalid JSON. */
import type { LMRequest, Message } from '../../protocol/protocol.ts'
import type { Loss } from '../../shaping/loss.ts'
import { ensure } from '../contract-error.ts'
import { CALL_IDS, FOREIGN_IDS, TOOL, turns, WORDS } from '../contract-requests.ts'
import { deepFreeze, holds, type Path, partWith, pathOf, placesIn, replaceText, stringsIn } from '../json-walk.ts'
import { readEvents } from '../read-events.ts'
import type { CheckDefinition, Subject } from '../wire-check.ts'

export const CALL_CHECKS: readonly CheckDefinition[] = [
  {
    id: 'ids-paired',
    name: 'each result is sent as the result of its call',
    check(subject) {
      for (const ids of [CALL_IDS, ...FOREIGN_IDS]) {
        const body = subject.wire.encode(deepFreeze({ messages: turns(undefined, ids).flat(), tools: [TOOL] }), subject.model)
        if (subject.pairsBy === 'order') ensureInOrder(body)
        else for (const index of [0, 1]) ensurePaired(body, index, ids[index] as string)
      }
    },
  },
  {
    id: 'ids-unique',
    name: 'calls with the same id, or without one, get unique ids',
    check: checkUnique,
  },
  {
    id: 'error-results',
    name: 'the result of a failed call is sent as such, or the lost flag is reported as a loss',
    check: checkErrorFlag,
  },
  {
    id: 'arguments-broken',
    name: 'a call whose arguments are not a JSON object is sent with its text or with a loss, and does not break the body',
    check({ wire, model }) {
      for (const text of [
        '',
        '{"query": "contract',
        'null',
        '[1]',
        '"text"',
        '{"__proto__": {"polluted": true}}',
        '['.repeat(5_000),
      ]) {
        const losses: Loss[] = []
        const body = wire.encode(withArguments(text), model, { onLoss: (loss) => losses.push(loss) })
        ensure(typeof JSON.stringify(body) === 'string', `the body with the arguments ${text.slice(0, 20)} is not JSON`)
        ensure(stringsIn(body).includes('contract_look_up'), `the call with the arguments ${text.slice(0, 20)} is missing`)
        ensure(!('polluted' in {}), 'the arguments changed a prototype')
        const isLost = losses.some(({ path }) => path === '/messages/2/toolCalls/0/arguments')
        const isNothing = text === '' || text === 'null'
        ensure(
          isNothing || isLost || isWritten(body, text),
          `the arguments ${text.slice(0, 20)} are neither sent nor reported as a loss`,
        )
      }
    },
  },
]

function ensurePaired(body: unknown, index: number, id: string): void {
  const other = 1 - index
  const call = partWith(body, WORDS.argument[index] as string, WORDS.argument[other] as string)
  const result = partWith(body, WORDS.result[index] as string, WORDS.result[other] as string)
  const otherCall = partWith(body, WORDS.argument[other] as string, WORDS.argument[index] as string)
  const others = new Set(stringsIn(otherCall))
  const results = new Set(stringsIn(result))
  const shared = stringsIn(call).filter((text) => results.has(text) && !others.has(text))
  ensure(shared.length > 0, `the call ${JSON.stringify(id)} and its result have different ids`, {
    expected: call,
    found: result,
  })
}

function ensureInOrder(body: unknown): void {
  const places = placesIn(body)
  const [a, b] = WORDS.result.map((words) => places.find(({ value }) => typeof value === 'string' && value.includes(words)))
  const isInOrder = a !== undefined && b !== undefined && isBefore(pathOf(a), pathOf(b))
  ensure(isInOrder, 'the results are not in the order of their calls')
}

function isBefore(a: Path, b: Path): boolean {
  const at = a.findIndex((step, index) => step !== b[index])
  return Number(a[at]) < Number(b[at])
}

/** Returns true if the body contains the arguments, as text or as an object. */
function isWritten(body: unknown, text: string): boolean {
  return stringsIn(body).includes(text) || JSON.stringify(body).includes(text.replaceAll(' ', ''))
}

function checkErrorFlag({ wire, model }: Subject): void {
  const failed = turns().flat()
  const at = failed.findIndex((message) => message.role === 'tool' && message.isError)
  const losses: Loss[] = []
  const write = (messages: readonly Message[]) =>
    wire.encode(deepFreeze({ messages, tools: [TOOL] }), model, { onLoss: (loss) => losses.push(loss) })
  const body = write(failed)
  ensure(holds(body, WORDS.result[1]), 'the error message of a failed call is missing')
  const isLost = losses.some(({ path }) => path === `/messages/${at}/isError`)
  const asResult = write(failed.map((message, index) => (index === at ? { ...message, isError: undefined } : message)))
  const isSent = JSON.stringify(body) !== JSON.stringify(asResult)
  ensure(isSent || isLost, `the failure of a call is neither sent nor reported as a loss at /messages/${at}/isError`)
}

function checkUnique({ wire, samples }: Subject): void {
  for (const { name, reply, events, calls } of samples.filter(({ calls: found }) => found.length > 1)) {
    const responses = [
      ...(reply === undefined ? [] : sameIds(reply, wire.decode(reply).toolCalls).map((one) => wire.decode(one))),
      ...(events === undefined
        ? []
        : sameIds(events, readEvents(wire, events).toolCalls).map((all) => readEvents(wire, all as unknown[]))),
    ]
    for (const { toolCalls } of responses) {
      const ids = toolCalls.map(({ id }) => id)
      ensure(new Set(ids).size === ids.length && !ids.includes(''), `${name}: two calls have the same id`, { found: ids })
      if (toolCalls.length > calls.length) ensure(false, `${name}: there are more calls than were written`, { found: toolCalls })
    }
  }
}

/** Returns the reply, and a copy in which all calls have the id of the first call. */
function sameIds(reply: unknown, calls: readonly { readonly id: string }[]): readonly unknown[] {
  const [first, ...rest] = calls.map(({ id }) => id)
  return [reply, rest.reduce((all, id) => replaceText(all, id, first as string), reply)]
}

function withArguments(text: string): LMRequest {
  const [opening = [], [call, ...results] = []] = turns()
  const toolCalls = [{ id: CALL_IDS[0], name: 'contract_look_up', arguments: text }]
  const messages = [...opening, { ...(call as Message), toolCalls }, results[0]] as Message[]
  return deepFreeze({ messages })
}
