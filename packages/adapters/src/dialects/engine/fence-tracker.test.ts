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
    ['after three backticks', '```'],
    ['after the language of the fence', 'See:\n```json\n'],
    ['after three tildes', '~~~\nx\n'],
    ['until the same number of backticks follows', '````\n```\nx\n```\n'],
    ['until the same characters follow', '~~~\n```\n'],
    ['in a quoted line', '> ```\n> x\n'],
    ['in a nested quote', '>> ```\n>> x\n'],
    ['in a list item', '- ```\n  x\n'],
    ['in an item of a numbered list', '10. ```\n    x\n'],
    ['in a list in a quote', '> * ~~~\n>   x\n'],
    ['after a quoted fence inside the fence', '```\n> ```\n'],
    ['after a list item with a fence inside the fence', '```\n- ```\n'],
    ['after a fence with a language inside the fence', '```md\n```json\n'],
    ['after the start of another fence', '```\nx\n```\n```\n'],
    ['after backticks that are followed by words', '```\nx\n``` is it\n'],
    ['after tildes that are followed by words', '~~~\nx\n~~~ is it\n'],
    ['after backticks that are followed by more backticks', '```\nx\n``` ```\n'],
    ['after an end that is indented like code', '```\nx\n    ```\n'],
    ['after an end that is indented with a tab', '```\nx\n\t```\n'],
    ['after an end that is indented like code in a list', '- ```\n  x\n      ```\n'],
    ['on a line that is indented like code', 'So:\n    ```\n    x\n'],
    ['after indented code that looks like a fence', 'So:\n\n    ```\n\n```\n'],
  ])('%s', (_, text) => {
    expect(isOpenAfter(text)).toBe(true)
  })
})

describe('no fence is open', () => {
  it.each([
    ['after the end', '```\nx\n```\n'],
    ['after an end with white space around it', '```\nx\n  ``` \r\n'],
    ['after a longer end', '````\n```\n``````\n'],
    ['after an end of tildes', '~~~ json\nx\n~~~\n'],
    ['after the end of a quoted fence', '> ```\n> x\n> ```\n'],
    ['after the end of a fence in a list', '1) ```\n   x\n   ```\n'],
    ['after two backticks', '``\n~~\n'],
    ['after backticks within a line', 'like ```\n'],
    ['after a code span of three backticks', '```x``` is code\n'],
    ['after a bullet without a space', '-```\n1.```\n'],
    ['after an ornament', '~~~ The end ~~~\n'],
    ['directly after the end', '```\nx\n```'],
    ['after an end that is indented by three spaces', '```\nx\n   ```\n'],
    ['after the end of a fence in a list item', '1. a\n\n    ```\n    x\n    ```\n'],
    ['after the end of a fence in a list, if the end is not indented', '1. ```\n   x\n```\n'],
    ['after the end of a fence in a nested list', '- a\n  - b\n    ```\n    x\n      ```\n'],
    ['after a fence that is indented like code', 'So:\n    ```\n    x\n    ```\n'],
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
