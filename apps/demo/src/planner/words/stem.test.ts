import { expect, it } from 'vitest'
import { stem } from './stem.ts'

it.each([
  ['rated', 'rating'],
  ['owed', 'owe'],
  ['delivery', 'delivered'],
  ['recoveries', 'recover'],
  ['registration', 'registered'],
  ['illustrations', 'illustrate'],
])('gives %s and %s one stem', (one, other) => {
  expect(stem(one)).toBe(stem(other))
})

it.each(['need', 'seed', 'very'])('keeps %s', (word) => {
  expect(stem(word)).toBe(word.replace(/y$/, 'i'))
})
