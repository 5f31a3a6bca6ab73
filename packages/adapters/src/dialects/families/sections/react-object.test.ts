import { describe, expect, it } from 'vitest'
import { reactText } from '../../react-text.ts'

const LONG = '12345678901234567890'

function callOf(text: string): string | undefined {
  return reactText.parse(text).toolCalls[0]?.arguments
}

describe('an action as an object', () => {
  it('keeps all digits of a number in its input', () => {
    expect(callOf(`{"action": "f", "action_input": {"id": ${LONG}}}`)).toBe(`{"id": ${LONG}}`)
    expect(callOf(`{"action" : "f" , "\\u0061ction_input":[{"id":${LONG}} ] }`)).toBe(`{"input": [{"id":${LONG}} ]}`)
    expect(callOf(`{"action": "f", "action_input": ${LONG} }`)).toBe(`{"input": "${LONG}"}`)
  })

  it('keeps all digits when it is repaired', () => {
    expect(callOf(`{"action": 'f', 'action_input': {'id': ${LONG}},}`)).toBe(`{"id": ${LONG}}`)
    expect(callOf(`{"action": "f", "action_input": "{'id': ${LONG}}"}`)).toBe(`{"id": ${LONG}}`)
    expect(callOf('{"action": "f", "action_input": {"a": 1}, "action_input": {"a": 2}}')).toBe('{"a": 2}')
  })

  it('keeps all digits in an answer', () => {
    expect(reactText.parse(`{"action": "Final Answer", "action_input": [${LONG}]}`).text).toBe(`[${LONG}]`)
  })

  it('is malformed if digits would be lost', () => {
    const text = `{"action": "f", "action_input": {id: ${LONG}}}`
    expect(reactText.parse(text)).toMatchObject({ toolCalls: [], malformedCalls: [text] })
  })

  it('has no arguments if its input is null or missing', () => {
    for (const rest of ['', ', "action_input": null', ', "action_input": {}']) expect(callOf(`{"action": "f"${rest}}`)).toBe('{}')
  })
})
