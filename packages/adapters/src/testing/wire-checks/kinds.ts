/**
 * Checks unusual replies: truncated replies, errors, text after calls, and calls with the finish reason of a reply without calls.
 */
import type { FinishReason } from '../../protocol/protocol.ts'
import { ensure, ensureSame } from '../contract-error.ts'
import { responsesOf } from '../sample-kinds.ts'
import type { CheckDefinition, Subject, WireSample } from '../wire-check.ts'

export const KIND_CHECKS: readonly CheckDefinition[] = [
  {
    id: 'finish',
    name: 'a reply with calls finishes with `tool-calls`, whatever reason the provider gives',
    check(subject) {
      for (const { what, sample, response } of responsesOf(subject))
        ensureSame(response.finishReason, sample.finishReason ?? finishOf(sample), `${what}: \`finishReason\``)
    },
  },
  {
    id: 'calls-cut',
    name: 'only the call in which a reply was truncated is `truncated`',
    check(subject) {
      for (const { what, sample, response } of responsesOf(subject).filter(({ sample: { kind } }) => kind === 'cut'))
        ensureSame(
          response.toolCalls.map(({ truncated }) => truncated === true),
          sample.calls.map(({ truncated }) => truncated === true),
          `${what}: \`truncated\` of each call`,
        )
    },
  },
  {
    id: 'text-behind-calls',
    name: 'text that the model writes after its calls is part of its text',
    check(subject) {
      for (const { what, sample, response } of responsesOf(subject).filter(
        ({ sample: { kind } }) => kind === 'text_behind_calls',
      ))
        ensureSame(response.text, sample.text, `${what}: text`)
    },
  },
  {
    id: 'error-replies',
    name: 'an error in a reply or in an event is reported with its message and its code',
    check(subject) {
      ensureErrorsFound(subject)
      for (const { what, sample, response } of responsesOf(subject)) {
        ensure((response.error === undefined) === (sample.error === undefined), `${what}: the error differs from the sample`, {
          expected: sample.error,
          found: response.error,
        })
        ensureSame(response.error?.message, sample.error?.message, `${what}: message of the error`)
        if (sample.error?.code !== undefined) ensureSame(response.error?.code, sample.error.code, `${what}: code of the error`)
      }
    },
  },
]

/**
 * Throws unless `decodeError` finds at least one of the errors, and finds them as `decode` does. It may miss some, because some
 * APIs have another form for errors that aren't sent as a reply.
 */
function ensureErrorsFound({ wire, samples }: Subject): void {
  const failed = samples.filter(({ error, reply }) => error !== undefined && reply !== undefined)
  const read = failed.map(({ name, error, reply }) => ({ name, expected: error, found: wire.decodeError?.(reply) }))
  if (wire.decodeError === undefined || failed.length === 0) return
  ensure(
    read.some(({ found }) => found !== undefined),
    '`decodeError` finds no error in the replies that are errors',
  )
  for (const { name, expected, found } of read) {
    if (found === undefined) continue
    ensureSame(found.message, expected?.message, `${name}: message of \`decodeError\``)
    if (expected?.code !== undefined) ensureSame(found.code, expected.code, `${name}: code of \`decodeError\``)
  }
}

function finishOf({ error, calls }: WireSample): FinishReason {
  if (error !== undefined) return 'error'
  if (calls.some(({ truncated }) => truncated)) return 'length'
  return calls.length > 0 ? 'tool-calls' : 'stop'
}
