/** Turns with thousands of calls take linear time. */
import type { FieldError, RawToolCall } from '@x/adapters'
import { expect, it } from 'vitest'
import { unusedId } from './history.ts'
import { readTurn } from './turn.ts'

const MANY = 2_000
const NO_TOOLS = { tools: new Map(), endingTools: new Map(), hasCallTool: false }

class CountingSet extends Set<string> {
  asked = 0
  override has(value: string): boolean {
    this.asked++
    return super.has(value)
  }
}

function turnOf(toolCalls: readonly RawToolCall[], errors: readonly FieldError[] = []) {
  const seen = new CountingSet()
  const parsed = errors.length === 0 ? toolCalls.map(({ id, name }) => ({ id, name, args: {} })) : []
  const outputs = { thought: '', tool_calls: parsed }
  return {
    seen,
    turn: readTurn({ outputs, errors, response: { text: '', toolCalls, finishReason: 'stop' } } as never, 1, seen, NO_TOOLS),
  }
}

const rawCall = (id: string, index: number): RawToolCall => ({ id, name: 'add', arguments: `{"n":${index}}` })

it.each([
  ['one id', () => 'c'],
  ['no id', () => ''],
  ['ids that come ahead of those that are made', (index: number) => (index % 2 === 0 ? `c_1_${index}` : 'c')],
])('%s for many calls: each gets a unique id', (_, idOf) => {
  const { turn, seen } = turnOf(Array.from({ length: MANY }, (__, index) => rawCall(idOf(index), index)))
  expect(new Set(turn.calls.map(({ raw }) => raw.id)).size).toBe(MANY)
  expect(seen.asked).toBeLessThan(5 * MANY)
})

it('finds the error of each of many calls, even if they are copies', () => {
  let compared = 0
  const watched = (call: RawToolCall) => ({
    ...call,
    get id() {
      compared++
      return call.id
    },
  })
  const calls = Array.from({ length: MANY }, (_, index) => rawCall(`c${index}`, index))
  const errors = calls.map((call, index) => ({
    code: 'invalid_tool_call' as const,
    field: 'tool_calls',
    message: `wrong ${index}`,
    call: watched(call),
  }))
  const { turn } = turnOf(calls, errors)
  expect(turn.calls.map((call) => 'error' in call && call.error.message)).toEqual(errors.map(({ message }) => message))
  expect(compared).toBeLessThan(5 * MANY)
})

it('continues the count of each id', () => {
  const seen = new CountingSet()
  const counted = new Map<string, number>()
  const ids = Array.from({ length: MANY }, () => unusedId('a', seen, counted))
  expect([ids[0], ids[1], ids[2], ids.at(-1)]).toEqual(['a', 'a_2', 'a_3', `a_${MANY}`])
  expect(seen.asked).toBeLessThan(3 * MANY)
})
