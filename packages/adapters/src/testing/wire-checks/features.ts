/**
 * Checks everything in a reply besides text and calls: reasoning, finish reason, data to send back, and how arguments are
 * written.
 */
import { ensure, ensureSame } from '../contract-error.ts'
import { continued } from '../contract-requests.ts'
import { holds, placesIn, stringsIn } from '../json-walk.ts'
import { isComplete, type ReadSample, responsesOf } from '../sample-kinds.ts'
import type { CheckDefinition, Subject } from '../wire-check.ts'

export const FEATURE_CHECKS: readonly CheckDefinition[] = [
  {
    id: 'reasoning',
    name: 'reads reasoning from complete and streamed replies',
    check(subject) {
      for (const { what, sample, response } of responsesOf(subject))
        if (sample.reasoning !== undefined) ensureSame(response.reasoning, sample.reasoning, `${what}: reasoning`)
    },
  },
  {
    id: 'raw-finish',
    name: "the provider's finish reason is returned",
    check(subject) {
      for (const { what, sample, response } of responsesOf(subject))
        if (sample.rawFinishReason !== undefined)
          ensureSame(response.rawFinishReason, sample.rawFinishReason, `${what}: \`rawFinishReason\``)
    },
  },
  {
    id: 'provider-calls',
    name: "each call to the provider's own tools is reported, with its block as the provider wrote it",
    check(subject) {
      for (const { what, sample, response } of responsesOf(subject)) ensureProviderCalls(sample, response, what)
    },
  },
  {
    id: 'metadata-kept',
    name: 'data that the provider must receive back is kept as metadata and sent back',
    check(subject) {
      for (const { what, sample, response } of responsesOf(subject)) {
        const { kept = [] } = sample
        const found = stringsIn([response.metadata, ...response.toolCalls.map(({ metadata }) => metadata)])
        for (const text of kept)
          ensure(found.includes(text), `${what}: data that the provider must receive back is missing from the metadata`, {
            expected: text,
            found,
          })
        if (kept.length === 0 || !isComplete(sample)) continue
        const body = subject.wire.encode(continued(response), subject.model)
        for (const text of kept)
          ensure(holds(body, text), `${what}: data that the provider must receive back isn't sent`, { expected: text })
      }
    },
  },
  {
    id: 'arguments-spelling',
    name: 'arguments are returned and sent back as the provider wrote them',
    check(subject) {
      for (const read of responsesOf(subject)) ensureSpelling(subject, read)
    },
  },
]

function ensureProviderCalls(sample: ReadSample['sample'], response: ReadSample['response'], what: string): void {
  if (sample.providerCalls === undefined) return
  const expected = sample.providerCalls.map((call) => (typeof call === 'string' ? { type: call } : call))
  const found = response.providerCalls ?? []
  ensureSame(
    found.map(({ type }) => type),
    expected.map(({ type }) => type),
    `${what}: calls to the provider's own tools`,
  )
  for (const [index, call] of expected.entries()) {
    for (const [key, value] of Object.entries(call))
      ensureSame(found[index]?.[key as keyof typeof call], value, `${what}: \`${key}\` of provider call ${index}`)
    const raw = found[index]?.raw
    ensure(typeof raw === 'object' && raw !== null, `${what}: provider call ${index} has no block`, { found: raw })
  }
}

function ensureSpelling({ wire, model }: Subject, { what, sample, response }: ReadSample): void {
  const spelled = sample.calls.flatMap(({ json }, index) => (json === undefined ? [] : [{ json, index }]))
  for (const { json, index } of spelled)
    ensureSame(response.toolCalls[index]?.arguments, json, `${what}: arguments of call ${index}, as the provider wrote them`)
  if (spelled.length === 0 || !isComplete(sample)) return
  const sent = placesIn(wire.encode(continued(response), model)).map(({ value }) =>
    typeof value === 'string' ? value : JSON.stringify(value),
  )
  for (const { json, index } of spelled)
    ensure(sent.includes(json), `${what}: arguments of call ${index} are sent back in a different form`, { expected: json })
}
