/** Checks a conversation that continues: decoded messages are appended and encoded again. */
import type { LMRequest, LMResponse } from '../../protocol/protocol.ts'
import { isObject } from '../../wire/read-json.ts'
import type { WireFormat } from '../../wire/wire-format.ts'
import { ensure, ensureSame } from '../contract-error.ts'
import { continued, WORDS } from '../contract-requests.ts'
import { mutantsOf } from '../hostile-json.ts'
import { deepFreeze, holds, placesIn, stringsIn } from '../json-walk.ts'
import { readArgs } from '../same-args.ts'
import { isComplete, type ReadSample, responsesOf } from '../sample-kinds.ts'
import type { CheckDefinition, Subject } from '../wire-check.ts'

export const ROUND_TRIP_CHECKS: readonly CheckDefinition[] = [
  {
    id: 'round-trip',
    name: 'a response is sent back with its text, its calls and their results',
    check(subject) {
      const { wire, model } = subject
      for (const { what, response } of completeOf(subject))
        ensureGoesBack(wire.encode(continued(response), model), response, what)
    },
  },
  {
    id: 'round-trip-saved',
    name: 'a saved conversation is sent back with the same bytes',
    check(subject) {
      const { wire, model } = subject
      for (const { what, response } of completeOf(subject)) {
        const saved = wire.encode(continued(response, true), model)
        ensureSame(saved, wire.encode(continued(response), model), `${what}: after it was saved`)
      }
    },
  },
  {
    id: 'round-trip-foreign',
    name: 'metadata of another wire format is ignored',
    check(subject) {
      const { wire, model } = subject
      for (const { what, response } of completeOf(subject)) {
        const body = wire.encode(withForeign(response), model)
        ensure(!holds(body, FOREIGN), `${what}: the metadata of another wire format was sent`)
        ensureGoesBack(body, response, what)
      }
    },
  },
  {
    id: 'metadata-hostile',
    name: 'edited or damaged metadata causes no exception and no loss of content',
    check(subject) {
      for (const { what, response } of completeOf(subject))
        for (const damaged of damagedOf(response, subject.wire.name)) ensureUnharmed(subject, damaged, what)
    },
  },
  {
    id: 'round-trip-others',
    name: 'another wire format can continue the conversation, without data that only this provider understands',
    check(subject) {
      for (const { wire, model } of subject.others) {
        for (const { what, response } of completeOf(subject)) {
          const to = `${what}, to ${wire.name}`
          const body = wire.encode(continued(response), model)
          ensureGoesBack(body, response, to)
          for (const secret of secretsOf(response))
            ensure(!holds(body, secret), `${to}: its metadata was sent`, { found: secret })
        }
      }
    },
  },
]

function completeOf(subject: Subject): readonly ReadSample[] {
  return responsesOf(subject).filter(({ sample }) => isComplete(sample))
}

const FOREIGN = 'contract-foreign-metadata'

function ensureGoesBack(body: ReturnType<WireFormat['encode']>, { text, toolCalls }: LMResponse, what: string): void {
  const strings = stringsIn(body)
  ensure(
    strings.some((found) => found.includes(WORDS.question)),
    `${what}: the question is missing`,
  )
  ensure(text === '' || joined(strings).includes(text), `${what}: the text is missing`, { expected: text })
  for (const { id, name, arguments: written } of toolCalls) {
    ensure(strings.includes(name), `${what}: the call to ${name} is missing`)
    for (const leaf of leavesOf(readArgs(written)))
      ensure(
        strings.some((found) => found.includes(leaf)),
        `${what}: an argument of ${name} is missing`,
        { expected: leaf },
      )
    ensure(
      strings.some((found) => found.includes(`result of ${id}`)),
      `${what}: the result of ${name} is missing`,
    )
  }
}

function* damagedOf(response: LMResponse, name: string): Generator<LMResponse> {
  const { metadata, toolCalls } = response
  for (const value of HOSTILE) {
    const damaged = { [name]: value }
    yield { ...response, metadata: damaged, toolCalls: toolCalls.map((call) => ({ ...call, metadata: damaged })) }
  }
  for (const mutant of mutantsOf(metadata ?? {}, 200)) if (isObject(mutant)) yield { ...response, metadata: mutant }
  for (const mutant of mutantsOf(toolCalls[0]?.metadata ?? {}, 50))
    if (isObject(mutant)) yield { ...response, toolCalls: toolCalls.map((call) => ({ ...call, metadata: mutant })) }
}

const HOSTILE: readonly unknown[] = [
  null,
  7,
  'x',
  [],
  [null, 7, 'x', [], {}],
  {},
  { parts: 7 },
  JSON.parse('{"__proto__":{"polluted":true}}'),
]

function ensureUnharmed({ wire, model }: Subject, response: LMResponse, what: string): void {
  const body = wire.encode(continued(response), model)
  ensureGoesBack(body, response, `${what}, with damaged metadata`)
  ensure(!('polluted' in {}), `${what}: metadata changed Object.prototype`)
}

/** Joins the strings with and without line breaks, so that text is found even if it is sent back in several pieces. */
function joined(strings: readonly string[]): string {
  return `${strings.join('\n')}\n${strings.join('')}`
}

function leavesOf(args: unknown): readonly string[] {
  return placesIn(args).flatMap(({ value }) => (typeof value === 'string' ? [value] : []))
}

function withForeign(response: LMResponse): LMRequest {
  const metadata = {
    'contract-other': { parts: [FOREIGN], items: [FOREIGN], content: [FOREIGN], id: FOREIGN, thoughtSignature: FOREIGN },
  }
  const toolCalls = response.toolCalls.map((call) => ({ ...call, metadata }))
  return deepFreeze(continued({ ...response, toolCalls, metadata }))
}

/** Returns the strings in the metadata that don't occur elsewhere in the response. */
function secretsOf({ metadata, toolCalls, ...rest }: LMResponse): readonly string[] {
  const plain = stringsIn({
    ...rest,
    providerCalls: undefined,
    calls: toolCalls.map(({ metadata: _, ...call }) => call),
    raw: undefined,
  }).join('\n')
  const all = [metadata, ...toolCalls.map((call) => call.metadata)].flatMap(stringsIn)
  return all.filter((text) => text.length > 12 && !plain.includes(text))
}
