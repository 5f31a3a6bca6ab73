/** Tests that a failed reply is an error, whatever else its events contain. */
import { describe, expect, it } from 'vitest'
import { collectDeltas, type LMResponse } from '../../index.ts'
import { openaiResponses } from './wire.ts'

function read(...events: unknown[]): LMResponse {
  const decoder = openaiResponses.streamDecoder()
  return collectDeltas([...events.flatMap((event) => [...decoder.push(event)]), ...decoder.end()])
}

const BEGUN = { type: 'response.created', response: { status: 'in_progress', output: [] } }
const ERROR = { type: 'error', code: 'server_error', message: 'Gone.' }
const cut = { incomplete_details: { reason: 'max_output_tokens' } }
const call = { type: 'function_call', id: 'fc', call_id: 'a', name: 'look', arguments: '{"path":"/srv"}' }

describe('response.failed', () => {
  it.each([
    ['with the status incomplete', { status: 'incomplete', ...cut }],
    ['with details about a limit', { status: 'failed', ...cut }],
    ['without a status', cut],
    ['with the status completed', { status: 'completed' }],
  ])('%s is an error', (_, response) => {
    const failed = { type: 'response.failed', response: { output: [], error: null, ...response } }
    expect(read(BEGUN, ERROR, failed)).toMatchObject({
      finishReason: 'error',
      rawFinishReason: 'failed',
      error: { code: 'server_error' },
    })
    expect(read(BEGUN, failed)).toMatchObject({ finishReason: 'error', rawFinishReason: 'failed' })
  })

  it('marks its last call as truncated', () => {
    const done = { type: 'response.output_item.done', output_index: 0, item: call }
    const failed = { type: 'response.failed', response: { status: 'completed', output: [call] } }
    expect(read(BEGUN, done, ERROR, failed).toolCalls).toMatchObject([{ truncated: true }])
  })
})

it('an error event turns any end into an error', () => {
  for (const status of ['completed', 'incomplete']) {
    const end = { type: `response.${status}`, response: { status, output: [], ...cut } }
    expect(read(BEGUN, ERROR, end).finishReason).toBe('error')
  }
})

it('a complete reply that failed or contains an error is an error', () => {
  const error = { code: 'server_error', message: 'Gone.' }
  expect(openaiResponses.decode({ status: 'failed', output: [call], ...cut })).toMatchObject({
    finishReason: 'error',
    toolCalls: [{ truncated: true }],
  })
  for (const status of ['completed', 'incomplete'])
    expect(openaiResponses.decode({ status, output: [], ...cut, error })).toMatchObject({ finishReason: 'error', error })
})

it('an error event may have the name of another event', () => {
  const event = { type: 'response.error', error: { message: 'Gone.', code: 'server_error' } }
  expect(read(BEGUN, event)).toMatchObject({ finishReason: 'error', error: { code: 'server_error' } })
})

it('an error event may have a number as its code', () => {
  expect(read(BEGUN, { type: 'error', code: 503, message: 'Busy.' }).error).toEqual({ code: '503', message: 'Busy.' })
})

it('an error with its class as the event type is an error', () => {
  const decoder = openaiResponses.streamDecoder()
  const deltas = decoder.push({ object: 'error', type: 'BadRequestError', code: 400, message: 'Too long.' })
  expect(deltas).toEqual([{ type: 'error', error: { message: 'Too long.', code: '400' } }])
})
