/**
 * Tests that the dialect contract fails for a dialect that violates it, and that the error contains the id of the check and the reason.
 */
import { expect, it } from 'vitest'
import type { Dialect, DialectReading, FormatRefusal, ParserOptions, TextParser } from '../dialects/define/dialect.ts'
import { defineDialect } from '../dialects/define/own-dialect.ts'
import { formatJsonBlocks, jsonBlock } from '../dialects/families/json/json-block.ts'
import { hermes } from '../dialects/hermes.ts'
import type { DialectCheckId } from './dialect-check-id.ts'
import { dialectContract } from './dialect-contract.ts'

const FEW = { runs: 20 }
const refusal: FormatRefusal = { ok: false, code: 'unrepresentable_value', message: 'No value can be written.' }

function faultsOf(dialect: Dialect): ReadonlyMap<DialectCheckId, string> {
  const faults = new Map<DialectCheckId, string>()
  for (const { id, run } of dialectContract(dialect, FEW)) {
    try {
      run()
    } catch (error) {
      faults.set(id, String(error))
    }
  }
  return faults
}

it('passes for a correct dialect, with few runs', () => {
  expect([...faultsOf(hermes)]).toEqual([])
})

it('fails each check if every call is refused, and quotes the refusal', () => {
  const faults = faultsOf(defineDialect({ name: 'mute', blocks: [], formatCalls: () => refusal }))
  expect([...faults.keys()]).toEqual(dialectContract(hermes).map(({ id }) => id))
  for (const fault of faults.values()) expect(fault).toContain('unrepresentable_value, No value can be written.')
})

it('quotes the first refusal if too few calls are written', () => {
  const picky: Dialect = {
    ...hermes,
    formatCalls: (calls, options) =>
      calls.some(({ name }) => name !== 'look_up') ? refusal : hermes.formatCalls(calls, options),
  }
  const faults = faultsOf(picky)
  expect(faults.get('round-trip')).toMatch(/Only 0 of 20 .* The first refusal: unrepresentable_value, No value can be written\./)
  expect(faults.get('prefix')).toMatch(/No turn with one call .* No value can be written\./)
})

it('fails a check, but not the contract itself, if formatCalls throws', () => {
  const checks = dialectContract(
    defineDialect({
      name: 'thrower',
      blocks: [],
      formatCalls() {
        throw new TypeError('oh no')
      },
    }),
  )
  expect(checks[0]?.run).toThrow(expect.objectContaining({ check: 'round-trip', message: expect.stringContaining('oh no') }))
})

it.each([
  ['unfinished', { unfinished: 'whole' }],
  ['unknown-tool', { unknownTool: 'call' }],
  ['text-after-calls', { textAfterCalls: 'keep' }],
  ['malformed-block', { malformedBlock: 'drop' }],
  ['missing-arguments', { missingArguments: 'empty' }],
  ['call-in-reasoning', { callInReasoning: 'call' }],
  ['call-in-fence', { callInFence: 'call' }],
] as const)('%s fails if the policy is ignored', (id, forced) => {
  const deaf: Dialect = {
    ...hermes,
    parse: (text, options) => hermes.parse(text, { ...options, ...forced }),
  }
  expect(checkOf(id, deaf)).toThrow(expect.objectContaining({ check: id }))
})

const withoutTags = ({ toolCalls, ...reading }: DialectReading): DialectReading => ({
  ...reading,
  toolCalls: toolCalls.map(({ tags, truncated, ...call }) => call),
})
const takesWhole: ParserOptions = { unfinished: 'whole' }

const list = defineDialect({
  name: 'list',
  blocks: [jsonBlock({ open: '[CALLS]', holds: 'list' })],
  formatCalls: formatJsonBlocks({ open: '[CALLS]', together: 'list' }),
})

it('the end of a list without an end marker is its last bracket', () => {
  expect([...faultsOf(list)]).toEqual([])
})

it.each([hermes, list])('unfinished fails if `never` returns an unfinished call of $name without its tags', (dialect) => {
  const check = checkOf('unfinished', {
    ...dialect,
    parse: (text, options) =>
      options?.unfinished === 'never'
        ? withoutTags(dialect.parse(text, { ...options, ...takesWhole }))
        : dialect.parse(text, options),
  })
  expect(check).toThrow(expect.objectContaining({ check: 'unfinished', message: expect.stringContaining('truncated') }))
})

it('unfinished fails if unfinished calls are never reported as such', () => {
  const check = checkOf('unfinished', {
    ...hermes,
    parse: (text, options) => withoutTags(hermes.parse(text, { ...options, ...takesWhole })),
  })
  expect(check).toThrow(expect.objectContaining({ check: 'unfinished', message: expect.stringContaining('before its end') }))
})

it('malformed-block fails if a malformed call of a response has no text', () => {
  const check = checkOf('malformed-block', {
    ...hermes,
    parse: (text, options) => ({ ...hermes.parse(text, options), malformedCalls: [''] }),
  })
  expect(check).toThrow(expect.objectContaining({ check: 'malformed-block' }))
})

it('malformed-block fails if a malformed call of a stream has no text', () => {
  const toParser = (parser: TextParser): TextParser => ({
    push: (text) => parser.push(text),
    end: () => [...parser.end(), { type: 'malformed_call', text: '' }],
  })
  const check = checkOf('malformed-block', { ...hermes, streamParser: (options) => toParser(hermes.streamParser(options)) })
  expect(check).toThrow(expect.objectContaining({ check: 'malformed-block', message: expect.stringContaining('has no text') }))
})

const ended = defineDialect({
  name: 'ended',
  blocks: [jsonBlock({ open: '<call>', close: '</call>' })],
  end: '<|eot|>',
  formatCalls: (calls) => `${formatJsonBlocks({ open: '<call>', close: '</call>' })(calls)}<|eot|>`,
})

it('passes for a dialect that writes an end marker after its calls', () => {
  expect([...faultsOf(ended)]).toEqual([])
})

it.each(['keep', 'drop'] as const)('text-after-calls fails if the dialect always uses one policy: %s', (textAfterCalls) => {
  const check = checkOf('text-after-calls', {
    ...ended,
    parse: (text, options) => ended.parse(text, { ...options, textAfterCalls }),
  })
  expect(check).toThrow(expect.objectContaining({ check: 'text-after-calls' }))
})

function checkOf(id: DialectCheckId, dialect: Dialect): (() => void) | undefined {
  return dialectContract(dialect, FEW).find((one) => one.id === id)?.run
}
