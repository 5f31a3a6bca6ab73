import { describe, expect, it } from 'vitest'
import { failingTool, repeatedCall, sameCallInTurn, tooManyCalls } from './prompts.ts'

describe('a refusal', () => {
  it.each([
    [1, /^You already made this call\. /],
    [2, /^You already made this call 2 times, with the same result each time\. /],
  ])('reads well after %d identical results', (count, message) => {
    expect(repeatedCall(count)).toMatch(message)
  })

  it.each([
    [1, /^You already made this call to "pay" in this turn, .* Use that result\.$/],
    [2, /^You already made this call to "pay" 2 times in this turn, .* Use those results\.$/],
  ])('reads well after %d identical calls in a turn', (most, message) => {
    expect(sameCallInTurn('pay', most, false)).toMatch(message)
  })

  it.each([
    [1, /^"pay" failed and can no longer be called\. /],
    [2, /^"pay" failed 2 times in a row and can no longer be called\. /],
  ])('reads well after %d failures', (failures, message) => {
    expect(failingTool('pay', failures)).toMatch(message)
  })

  it.each([
    [1, 'at most 1 call.'],
    [2, 'at most 2 calls.'],
  ])('reads well for a limit of %d calls', (limit, words) => {
    expect(tooManyCalls(limit)).toContain(words)
  })
})
