/** Checks that the samples of a contract are sufficient. */
import type { LMResponse } from '../protocol/protocol.ts'
import type { WireFormat } from '../wire/wire-format.ts'
import { readEvents } from './read-events.ts'
import { readArgs, sorted } from './same-args.ts'
import type { Subject, WireContractOptions, WireSample, WireSampleFeature, WireSampleKind } from './wire-check.ts'

/** Throws `TypeError` if a kind has no sample, or if a sample doesn't match its kind. */
export function assertSamples({ name, streamDecoder }: WireFormat, { samples, lacks = [] }: WireContractOptions): void {
  const refuse = (problem: string) => new TypeError(`wireContract(${name}): ${problem}`)
  const empty = samples.find(({ reply, events }) => reply === undefined && events === undefined)
  if (empty !== undefined) throw refuse(`sample "${empty.name}" has neither a reply nor events.`)
  assertCovered(
    samples.filter(({ calls }) => calls.length > 0),
    'calls',
  )
  for (const sample of samples) {
    const missing = sample.kind === undefined ? undefined : NEEDS[sample.kind](sample)
    if (missing) throw refuse(`sample "${sample.name}" is of kind \`${sample.kind}\`, but has no ${missing}.`)
    const call = sample.calls.find(({ args, truncated }) => args === undefined && !truncated)
    if (call !== undefined)
      throw refuse(`sample "${sample.name}" has a call to ${call.name} that has no \`args\` and is not \`truncated\`.`)
  }
  for (const kind of KINDS) {
    if (!lacks.includes(kind))
      assertCovered(
        samples.filter((sample) => sample.kind === kind),
        `kind \`${kind}\``,
        `, or list the kind in \`lacks\` if the API never sends such a reply`,
      )
  }
  for (const feature of FEATURES) {
    if (!lacks.includes(feature))
      assertCovered(
        samples.filter(HAS[feature]),
        FIELDS[feature],
        `, or list the feature \`${feature}\` in \`lacks\` if no reply of the API has it`,
      )
  }

  function assertCovered(found: readonly WireSample[], what: string, otherwise = ''): void {
    if (found.every(({ reply }) => reply === undefined))
      throw refuse(`no sample has a reply with ${what}. Add one to \`samples\`${otherwise}.`)
    if (streamDecoder !== undefined && found.every(({ events }) => events === undefined))
      throw refuse(`it decodes streams, but no sample has events with ${what}. Add one to \`samples\`${otherwise}.`)
  }
}

const NEEDS: Readonly<Record<WireSampleKind, (sample: WireSample) => string | false>> = {
  cut: ({ calls }) => !calls.some(({ truncated }) => truncated) && 'call that is `truncated`',
  error: ({ error }) => error === undefined && '`error`',
  text_behind_calls: ({ text, calls }) => (text === '' || calls.length === 0) && 'text next to calls',
  stop_beside_calls: ({ calls }) => calls.length === 0 && 'calls',
  cached_tokens: ({ usage }) => !usage?.cacheReadTokens && '`usage.cacheReadTokens`',
}

const HAS: Readonly<Record<WireSampleFeature, (sample: WireSample) => boolean>> = {
  reasoning: ({ reasoning }) => Boolean(reasoning),
  refusal: ({ refusal }) => Boolean(refusal),
  metadata: ({ kept = [] }) => kept.length > 0,
  provider_calls: ({ providerCalls = [] }) => providerCalls.length > 0,
  usage: ({ usage }) => usage !== undefined,
  raw_finish: ({ rawFinishReason }) => Boolean(rawFinishReason),
  error_code: ({ error }) => error?.code !== undefined,
  image_result: ({ sent, calls }) => sent !== undefined && calls.length > 0,
  spelling: ({ calls }) => calls.some(({ json }) => json?.includes('  ') && JSON.stringify(sorted(readArgs(json))) !== json),
}

const FIELDS: Readonly<Record<WireSampleFeature, string>> = {
  reasoning: '`reasoning`',
  refusal: '`refusal`',
  metadata: '`kept`',
  provider_calls: '`providerCalls`',
  usage: '`usage`',
  raw_finish: '`rawFinishReason`',
  error_code: 'an `error` that has a `code`',
  image_result: 'calls and `sent`',
  spelling: 'a call that has `json` with its keys out of order and two spaces in a string',
}

const FEATURES = Object.keys(HAS) as readonly WireSampleFeature[]

const KINDS = Object.keys(NEEDS) as readonly WireSampleKind[]

/** Returns true if the reply is complete, so that it can be sent back. */
export function isComplete({ kind }: WireSample): boolean {
  return kind !== 'cut' && kind !== 'error'
}

export interface ReadSample {
  readonly what: string
  readonly sample: WireSample
  readonly response: LMResponse
}

/** Returns the responses of all samples, complete and streamed. */
export function responsesOf({ wire, samples }: Subject): readonly ReadSample[] {
  return samples.flatMap((sample) => [
    ...(sample.reply === undefined ? [] : [{ what: sample.name, sample, response: wire.decode(sample.reply) }]),
    ...(sample.events === undefined
      ? []
      : [{ what: `${sample.name}, streamed`, sample, response: readEvents(wire, sample.events) }]),
  ])
}
