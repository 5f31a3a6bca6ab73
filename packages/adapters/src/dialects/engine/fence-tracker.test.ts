import { describe, expect, it } from 'vitest'
import { FenceTracker } from './fence-tracker.ts'

/** Returns whether a fence is open at the end of the text, which is pushed whole and one character at a time. */
function isOpenAfter(text: string): boolean {
  const whole = new FenceTracker()
  whole.push(text)
  const cut = new FenceTracker()
  for (let at = 0; at < text.length; at++) cut.push(text.charAt(at))
  expect(cut.isOpen).toBe(whole.isOpen)
  return whole.isOpen
}

describe('a fence is open', () => {
  it.each([
    ['behind three ticks', '```'],
    ['behind its language', 'See:\n```json\n'],
    ['behind tildes', '~~~\nx\n'],
    ['until as many ticks come', '````\n```\nx\n```\n'],
    ['until the same units come', '~~~\n```\n'],
    ['in a quoted line', '> ```\n> x\n'],
    ['in a quote in a quote', '>> ```\n>> x\n'],
    ['in the item of a list', '- ```\n  x\n'],
    ['in the item of a numbered list', '10. ```\n    x\n'],
    ['in a list in a quote', '> * ~~~\n>   x\n'],
    ['behind a quoted fence in it', '```\n> ```\n'],
    ['behind a bullet with a fence in it', '```\n- ```\n'],
    ['behind a fence with a language in it', '```md\n```json\n'],
    ['again behind another one', '```\nx\n```\n```\n'],
    ['behind words on the line of what would end it', '```\nx\n``` is it\n'],
    ['behind words on the line of tildes', '~~~\nx\n~~~ is it\n'],
    ['behind other units on that line', '```\nx\n``` ```\n'],
    ['behind an end that is indented like code', '```\nx\n    ```\n'],
    ['behind an end that a tab indents', '```\nx\n\t```\n'],
    ['behind an end that is indented like code in a list', '- ```\n  x\n      ```\n'],
    ['on a line that is indented like code', 'So:\n    ```\n    x\n'],
    ['behind code that looks like one', 'So:\n\n    ```\n\n```\n'],
  ])('%s', (_, text) => {
    expect(isOpenAfter(text)).toBe(true)
  })
})

describe('no fence is open', () => {
  it.each([
    ['behind its end', '```\nx\n```\n'],
    ['behind an end with space around it', '```\nx\n  ``` \r\n'],
    ['behind a longer end', '````\n```\n``````\n'],
    ['behind the end of tildes', '~~~ json\nx\n~~~\n'],
    ['behind the end of a quoted one', '> ```\n> x\n> ```\n'],
    ['behind the end of one in a list', '1) ```\n   x\n   ```\n'],
    ['behind two ticks', '``\n~~\n'],
    ['behind ticks within a line', 'like ```\n'],
    ['behind code in a line', '```x``` is code\n'],
    ['behind a bullet without space', '-```\n1.```\n'],
    ['behind an ornament', '~~~ The end ~~~\n'],
    ['right behind its end', '```\nx\n```'],
    ['behind an end that is indented by three', '```\nx\n   ```\n'],
    ['behind one in a list, and its end', '1. a\n\n    ```\n    x\n    ```\n'],
    ['behind one in a list, with its end left of it', '1. ```\n   x\n```\n'],
    ['behind one in a list in a list', '- a\n  - b\n    ```\n    x\n      ```\n'],
    ['behind one that is indented like code', 'So:\n    ```\n    x\n    ```\n'],
  ])('%s', (_, text) => {
    expect(isOpenAfter(text)).toBe(false)
  })
})

it("ignores a fence in text that isn't prose", () => {
  const tracker = new FenceTracker()
  tracker.push('<call>\n```json\n{')
  tracker.leave()
  expect(tracker.isOpen).toBe(false)
  tracker.push('```\n```')
  expect(tracker.isOpen).toBe(true)
})
