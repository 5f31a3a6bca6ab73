import { customAdapter, defineSignature, type LM, ToolCalls, Tools, textAdapter } from '@x/adapters'
import { scriptedLM } from '@x/lm/testing'
import { Type } from 'typebox'
import { expect, it } from 'vitest'
import { hermes } from '../../test/hermes.ts'
import { answer, call, getWeather, report } from '../../test/tools.ts'
import { predict } from './predict.ts'

const plan = defineSignature({
  instructions: 'Decide which tools to call.',
  inputs: { question: Type.String(), tools: Tools() },
  outputs: { tool_calls: ToolCalls() },
})

it('emits the text as the model writes it, its field, and the outputs at the end', async () => {
  const lm = scriptedLM([{ text: 'It is 21.', reasoning: 'Hm.' }])
  expect(await all(predict({ lm, signature: answer }).stream({ question: '?' }))).toEqual([
    { type: 'reasoning', attempt: 1, text: 'Hm.' },
    { type: 'text', attempt: 1, text: 'It i' },
    { type: 'field', attempt: 1, field: 'answer', text: 'It i' },
    { type: 'text', attempt: 1, text: 's 21' },
    { type: 'field', attempt: 1, field: 'answer', text: 's 21' },
    { type: 'text', attempt: 1, text: '.' },
    { type: 'field', attempt: 1, field: 'answer', text: '.' },
    { type: 'outputs', outputs: { answer: 'It is 21.' }, usage: {} },
  ])
})

it('is also the promise of the outputs', async () => {
  const lm = scriptedLM([{ text: 'Oslo' }])
  const stream = predict({ lm, signature: answer }).stream({ question: '?' })
  const events = await all(stream)
  expect(await stream).toEqual({ answer: 'Oslo' })
  expect(events.at(-1)).toMatchObject({ type: 'outputs', outputs: await stream })
  lm.assertDone()
})

it('reports which output each piece belongs to', async () => {
  const lm = scriptedLM([{ text: '[[ ## city ## ]]\nOslo\n\n[[ ## degrees ## ]]\n21' }])
  const events = await all(predict({ lm, signature: report }).stream({ question: '?' }))
  const textOf = (field: string) =>
    events.map((event) => (event.type === 'field' && event.field === field ? event.text : '')).join('')
  expect([textOf('city').trim(), textOf('degrees').trim()]).toEqual(['Oslo', '21'])
})

it('emits the calls as they arrive', async () => {
  const lm = scriptedLM([{ toolCalls: [call('get_weather', { a: 1 }, 'c')] }])
  const events = await all(predict({ lm, signature: plan }).stream({ question: '?', tools: [getWeather] }))
  expect(events.slice(0, -1)).toEqual(
    [
      { type: 'call_start', index: 0, id: 'c', name: 'get_weather' },
      { type: 'arguments', index: 0, text: '{"a"' },
      { type: 'arguments', index: 0, text: ':1}' },
      { type: 'call_end', index: 0 },
    ].map((delta) => ({ type: 'call', attempt: 1, delta })),
  )
})

it('T4-22: makes the same repairs, and emits each', async () => {
  const lm = scriptedLM([{ text: '[[ ## city ## ]]\nOslo' }, { text: '[[ ## city ## ]]\nOslo\n[[ ## degrees ## ]]\n21' }])
  const events = await all(predict({ lm, signature: report }).stream({ question: '?' }))
  expect(events.filter(({ type }) => type === 'repair')).toMatchObject([
    { attempt: 1, errors: [{ code: 'missing_output', field: 'degrees' }] },
  ])
  expect(events.flatMap((event) => (event.type === 'text' ? [event.attempt] : []))).toContain(2)
  expect(events.at(-1)).toMatchObject({ type: 'outputs', outputs: { city: 'Oslo', degrees: 21 } })
})

it('T4-22: throws the error of the promise', async () => {
  const ask = predict({ lm: scriptedLM([{ text: 'x' }]), signature: report, maxRepairs: 0 })
  const stream = ask.stream({ question: '?' })
  await expect(all(stream)).rejects.toMatchObject({ code: 'invalid_output', rawOutput: 'x' })
  await expect(stream).rejects.toMatchObject({ code: 'invalid_output' })
})

it('emits everything at once for a model without streaming', async () => {
  const { generate } = scriptedLM([{ text: 'Oslo', reasoning: 'Hm.', toolCalls: [call('x', {}, 'c')], malformedCalls: ['x('] }])
  const lm: LM = { generate }
  const events = await all(predict({ lm, signature: answer }).stream({ question: '?' }))
  expect(events.map((event) => (event.type === 'call' ? event.delta.type : event.type))).toEqual([
    ...['reasoning', 'text', 'field', 'call_start', 'arguments', 'call_end', 'malformed_call', 'outputs'],
  ])
})

it('emits no fields for an adapter without readFields', async () => {
  const lm = scriptedLM([{ text: 'Oslo' }])
  const events = await all(predict({ lm, signature: answer, adapter: textAdapter(hermes) }).stream({ question: '?' }))
  expect(events.map(({ type }) => type)).toEqual(['text', 'outputs'])
})

it('uses readFields of a custom adapter, with a new reader for each attempt', async () => {
  const adapter = customAdapter({
    name: 'shouted',
    formatInstructions: () => 'Shout.',
    parse: (_, text) => (text.endsWith('!') ? { answer: text.slice(0, -1) } : {}),
    readFields: ({ outputs }) => {
      let size = 0
      const [field] = Object.keys(outputs) as [string]
      return { push: (text) => [{ field, text: `${size++}${text}` }], end: () => [{ field, text: '.' }] }
    },
  })
  const lm = scriptedLM([{ text: 'Rome' }, { text: 'Oslo!' }])
  const events = await all(predict({ lm, signature: answer, adapter }).stream({ question: '?' }))
  const fields = events.flatMap((event) => (event.type === 'field' ? [`${event.attempt}${event.text}`] : []))
  expect(fields).toEqual(['10Rome', '1.', '20Oslo', '21!', '2.'])
})

it('aborts with its caller in the middle of a reply', async () => {
  const controller = new AbortController()
  const ask = predict({ lm: scriptedLM([{ text: 'A long answer.' }]), signature: answer })
  const stream = ask.stream({ question: '?' }, { signal: controller.signal })
  const listen = async () => {
    for await (const _event of stream) controller.abort()
  }
  await expect(listen()).rejects.toMatchObject({ code: 'aborted' })
})

async function all<Event>(events: AsyncIterable<Event>): Promise<Event[]> {
  const list: Event[] = []
  for await (const event of events) list.push(event)
  return list
}
