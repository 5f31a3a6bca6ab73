import { expect, it } from 'vitest'
import { gemma4 } from './gemma4.ts'

const CALL = '<|tool_call>call:f{a:1}<tool_call|>'

function read(text: string, startsInReasoning = false) {
  const reading = gemma4.parse(text, { startsInReasoning })
  return { text: reading.text, reasoning: reading.reasoning?.trim() ?? '', calls: reading.toolCalls.map(({ name }) => name) }
}

it.each([
  ['with its name', '<|channel>thought\nHm.<channel|>Hi.', 'Hm.', 'Hi.'],
  ['with a space before its name', '<|channel> thought\nHm.<channel|>Hi.', 'Hm.', 'Hi.'],
  ['without a name', '<|channel>Hm.<channel|>Hi.', 'Hm.', 'Hi.'],
  ['with a word that starts like the name', '<|channel>thoughtful Hm.<channel|>Hi.', 'thoughtful Hm.', 'Hi.'],
  ['opened twice', '<|channel><|channel>thought\nHm.<channel|>Hi.', 'Hm.', 'Hi.'],
  ['opened and named twice', '<|channel>thought\n<|channel>thought\nHm.<channel|><channel|>Hi.', 'Hm.', 'Hi.'],
  ['closed twice', '<|channel>thought\nHm.<channel|><channel|>Hi.', 'Hm.', 'Hi.'],
  ['after text', 'Hi.<|channel>Hm.<channel|>', 'Hm.', 'Hi.'],
])('treats a channel %s as reasoning', (_, text, reasoning, content) => {
  expect(read(text)).toEqual({ text: content, reasoning, calls: [] })
})

it.each([
  ['that is never closed', '<|channel>Hi there.', 'Hi there.'],
  ['that is opened within text', 'Hi <|channel>there.', 'Hi there.'],
  ['that is never opened', 'Hi.<channel|>', 'Hi.'],
  ['with the name of an answer', '<|channel>final\nHi.', 'Hi.'],
  ['with the name of an answer and an end marker', '<|channel>final\nHi.<channel|>', 'Hi.'],
])('treats a channel %s as text', (_, text, content) => {
  expect(read(text)).toEqual({ text: content, reasoning: '', calls: [] })
})

it('ends unclosed reasoning at an answer', () => {
  expect(read('<|channel>thought\nHm.<|channel>final\nHi.')).toEqual({ text: 'Hi.', reasoning: 'Hm.', calls: [] })
  expect(read('Hm.<|channel>final\nHi.', true)).toEqual({ text: 'Hi.', reasoning: 'Hm.', calls: [] })
})

it('accepts a call in a channel without a name', () => {
  expect(read(`<|channel>${CALL}`)).toEqual({ text: '', reasoning: '', calls: ['f'] })
  expect(read(`<|channel>Look. ${CALL}`)).toEqual({ text: 'Look.', reasoning: '', calls: ['f'] })
})

it('ignores the call even if an argument contains the markers of a channel', () => {
  const call = '<|tool_call>call:t{k:[<|"|>a <|channel><|channel>thought\nOslo.<channel|><|"|>]}<tool_call|>'
  expect(gemma4.parse(`<|channel>\nI could:\n${call}\nbut no.<channel|>No.`).toolCalls).toEqual([])
})

it('ignores a call in a closed channel without a name', () => {
  expect(read(`<|channel>\n${CALL}\n<channel|>No.`)).toMatchObject({ text: 'No.', calls: [] })
  expect(read(`<|channel>I could ${CALL}, but no.<channel|>No.`)).toMatchObject({ text: 'No.', calls: [] })
  expect(read(`<|channel>a<|channel>I could ${CALL}, but no.<channel|>No. ${CALL}`)).toMatchObject({ text: 'aNo.', calls: ['f'] })
})

it('accepts a call in a channel without a name with the policy `call`', () => {
  const { toolCalls } = gemma4.parse(`<|channel>I could ${CALL} now.<channel|>No.`, { callInReasoning: 'call' })
  expect(toolCalls).toHaveLength(1)
})

it('keeps text between and after calls', () => {
  expect(read(`One ${CALL} two ${CALL} three`)).toEqual({ text: 'One  two  three', reasoning: '', calls: ['f', 'f'] })
})
