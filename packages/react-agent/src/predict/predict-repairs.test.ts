import { defineSignature, type LM, ToolCalls, Tools } from '@x/adapters'
import { type ScriptedReply, scriptedLM } from '@x/lm/testing'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { LMError, withRetry } from '../../test/retry.ts'
import { call, getWeather, report } from '../../test/tools.ts'
import { predict } from './predict.ts'

const right = { text: '[[ ## city ## ]]\nOslo\n[[ ## degrees ## ]]\n21' }
const wrong = { text: 'warm' }
const busy = new LMError('http_error', 'busy', { retryable: true })

/** Wraps a scripted model that retries twice without a delay. */
function retrying(script: readonly ScriptedReply[]): LM & { readonly script: ReturnType<typeof scriptedLM> } {
  const lm = scriptedLM(script)
  return Object.assign(withRetry(lm, { retries: 2, baseDelayMs: 0 }), { script: lm })
}

describe('retries of requests, and repairs of replies', () => {
  it('T4-21: are counted separately: two of each make nine requests', async () => {
    const lm = retrying([busy, busy, wrong, busy, busy, wrong, busy, busy, right])
    expect(await predict({ lm, signature: report, maxRepairs: 2 })({ question: '?' })).toEqual({ city: 'Oslo', degrees: 21 })
    lm.script.assertDone()
  })

  it("T4-21: a request that keeps failing isn't repaired", async () => {
    const lm = retrying([busy, busy, busy, right])
    await expect(predict({ lm, signature: report })({ question: '?' })).rejects.toMatchObject({
      code: 'model_failed',
      cause: busy,
    })
    expect(lm.script.requests).toHaveLength(3)
  })

  it("T4-21: a reply that stays invalid isn't retried", async () => {
    const lm = retrying([wrong, right])
    await expect(predict({ lm, signature: report, maxRepairs: 0 })({ question: '?' })).rejects.toMatchObject({
      code: 'invalid_output',
    })
    expect(lm.script.requests).toHaveLength(1)
  })

  it('T4-23: malformed calls and missing outputs count together', async () => {
    const signature = defineSignature({
      instructions: 'Decide.',
      inputs: { question: Type.String(), tools: Tools() },
      outputs: { reasoning: Type.String(), tool_calls: ToolCalls() },
    })
    const lm = scriptedLM([{ toolCalls: [call('get_weather', '{"city"')] }, { text: '' }])
    const asking = predict({ lm, signature, maxRepairs: 1 })({ question: '?', tools: [getWeather] })
    await expect(asking).rejects.toMatchObject({ code: 'invalid_output', errors: [{ code: 'empty_response' }], rawOutput: '' })
    lm.assertDone()
  })

  it('T4-23: the error of the last attempt has the call as the model wrote it', async () => {
    const signature = defineSignature({ instructions: '', inputs: { tools: Tools() }, outputs: { tool_calls: ToolCalls() } })
    const lm = scriptedLM([{ toolCalls: [call('get_weather', '{"city"')] }])
    await expect(predict({ lm, signature, maxRepairs: 0 })({ tools: [getWeather] })).rejects.toMatchObject({
      errors: [{ code: 'invalid_tool_call_arguments', call: { name: 'get_weather', arguments: '{"city"' } }],
    })
  })
})

it.each([
  [{ maxRepairs: Number.NaN }, 'maxRepairs'],
  [{ maxRepairs: -1 }, 'maxRepairs'],
  [{ lm: undefined }, 'lm'],
  [{ signature: {} }, 'signature'],
])('rejects an invalid option: %j', (options, option) => {
  const given = { lm: scriptedLM([]), signature: report, ...(options as object) }
  expect(() => predict(given)).toThrow(`predict: ${option} must be `)
})
