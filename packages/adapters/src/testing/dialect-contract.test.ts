/** The contract of dialects fails for one that breaks it, by the name of the check, and says why. */
import { expect, it } from 'vitest'
import { defineDialect } from '../dialects/define-dialect.ts'
import type { Dialect, FormatRefusal } from '../dialects/dialect.ts'
import { hermes } from '../dialects/hermes.ts'
import type { DialectCheckId } from './dialect-check-id.ts'
import { dialectContract } from './dialect-contract.ts'

const FEW = { runs: 20 }
const refusal: FormatRefusal = { ok: false, code: 'unsayable_value', message: 'No value can be written.' }

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

it('passes for a dialect that keeps it, with few runs', () => {
  expect([...faultsOf(hermes)]).toEqual([])
})

it('fails each check where every call is refused, and quotes the refusal', () => {
  const faults = faultsOf(defineDialect({ name: 'mute', blocks: [], formatCalls: () => refusal }))
  expect([...faults.keys()]).toEqual(dialectContract(hermes).map(({ id }) => id))
  for (const fault of faults.values()) expect(fault).toContain('unsayable_value, No value can be written.')
})

it('quotes the first refusal where too few calls are written', () => {
  const picky: Dialect = {
    ...hermes,
    formatCalls: (calls, options) =>
      calls.some(({ name }) => name !== 'look_up') ? refusal : hermes.formatCalls(calls, options),
  }
  const faults = faultsOf(picky)
  expect(faults.get('round-trip')).toMatch(/Only 0 of 20 .* The first refusal: unsayable_value, No value can be written\./)
  expect(faults.get('prefix')).toMatch(/No turn of 1 .* No value can be written\./)
})

it('fails a check by its name where formatCalls throws, and not before', () => {
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
  ['unread-block', { unreadBlock: 'drop' }],
  ['call-in-reasoning', { callInReasoning: 'call' }],
  ['call-in-fence', { callInFence: 'call' }],
] as const)('%s fails where the policy is not asked', (id, forced) => {
  const deaf: Dialect = {
    ...hermes,
    parse: (text, options) => hermes.parse(text, { ...options, ...forced }),
  }
  const check = dialectContract(deaf, FEW).find((one) => one.id === id)
  expect(check?.run).toThrow(expect.objectContaining({ check: id }))
})
