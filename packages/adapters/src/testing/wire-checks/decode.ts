/** Checks that `decode` returns a reply's content, and never throws or returns an invalid response. */
import type { LMResponse, Usage } from '../../protocol/protocol.ts'
import { ensure, ensureSame } from '../contract-error.ts'
import { conversation, TOOL } from '../contract-requests.ts'
import { deepMutantsOf, hostileValues, mutantsOf } from '../hostile-json.ts'
import { deepFreeze } from '../json-walk.ts'
import { ensureMetadata, ensureShape, ensureUsage } from '../response-shape.ts'
import { readArgs, sorted } from '../same-args.ts'
import { responsesOf } from '../sample-kinds.ts'
import type { CheckDefinition, WireSample } from '../wire-check.ts'

export const DECODE_CHECKS: readonly CheckDefinition[] = [
  {
    id: 'decode-sample',
    name: 'decode reads text, refusal and calls of a reply, and passes it on unchanged as `raw`',
    check({ wire, samples }) {
      for (const sample of samples) {
        if (sample.reply === undefined) continue
        const response = wire.decode(deepFreeze(sample.reply))
        ensureSays(response, sample)
        ensureSame(response.raw, sample.reply, `${sample.name}: \`raw\``)
        ensureSame(wire.decode(sample.reply), response, `${sample.name}: decoded again`)
      }
    },
  },
  {
    id: 'decode-garbage',
    name: 'decode reads any JSON without throwing',
    check({ wire, model }) {
      const request = conversation({ tools: [TOOL] })
      for (const [number, value] of hostileValues().entries()) {
        ensureShape(wire.decode(value), `hostile value ${number}`)
        ensureShape(wire.decode(value, request, model), `hostile value ${number}, with a request`)
      }
    },
  },
  {
    id: 'decode-mutants',
    name: 'decode does not throw if any one field of a reply is missing or has another type',
    check({ wire, samples }) {
      for (const { name, reply } of samples) {
        if (reply === undefined) continue
        for (const mutant of mutantsOf(reply)) ensureShape(wire.decode(mutant), `a mutant of ${name}`)
        for (const mutant of deepMutantsOf(reply)) ensureShape(wire.decode(mutant), `a deep mutant of ${name}`)
      }
    },
  },
  {
    id: 'decode-error',
    name: 'decodeError returns a message or nothing, and never throws',
    check({ wire }) {
      for (const value of hostileValues()) {
        const error = wire.decodeError?.(value)
        ensure(error === undefined || typeof error.message === 'string', 'an error has no message', { found: error })
      }
    },
  },
  {
    id: 'usage',
    name: 'usage counts tokens: input includes cache reads and writes, output includes reasoning',
    check: (subject) => {
      for (const { response, sample, what } of responsesOf(subject)) {
        ensureUsage(response.usage, what)
        if (sample.usage !== undefined) ensureSame(counts(response.usage), counts(sample.usage), `${what}: usage`)
        const {
          inputTokens = 0,
          outputTokens = 0,
          cacheReadTokens = 0,
          cacheWriteTokens = 0,
          reasoningTokens = 0,
        } = response.usage ?? {}
        for (const count of Object.values(response.usage ?? {}))
          ensure(Number(count) >= 0, `${what}: a count below 0`, { found: response.usage })
        ensure(inputTokens >= cacheReadTokens + cacheWriteTokens, `${what}: \`inputTokens\` excludes the cache`, {
          found: response.usage,
        })
        ensure(outputTokens >= reasoningTokens, `${what}: \`outputTokens\` excludes the reasoning`, { found: response.usage })
      }
    },
  },
  {
    id: 'metadata',
    name: 'metadata is plain data under the name of the wire format',
    check(subject) {
      for (const { response, what } of responsesOf(subject)) ensureMetadata(response, subject.wire.name, what)
    },
  },
]

export function ensureSays(response: LMResponse, { name, text: expected, calls, refusal }: WireSample): void {
  const { text, toolCalls } = response
  ensureSame(text, expected, `${name}: text`)
  ensureSame(
    toolCalls.map((call) => call.name),
    calls.map((call) => call.name),
    `${name}: calls`,
  )
  if (refusal !== undefined) ensureSame(response.refusal, refusal, `${name}: refusal`)
  for (const [index, { args, truncated }] of calls.entries()) {
    if (truncated) continue
    const found = toolCalls[index]
    ensureSame(sorted(readArgs(found?.arguments ?? '')), sorted(args), `${name}: arguments of call ${index}`)
    ensure(found?.truncated !== true, `${name}: call ${index} is complete, but marked as truncated`)
  }
}

function counts(usage: Usage = {}): unknown {
  return sorted(Object.fromEntries(Object.entries(usage).filter(([, count]) => count !== undefined)))
}
