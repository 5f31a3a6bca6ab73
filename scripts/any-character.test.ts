import { expect, it } from 'vitest'
import { anyCharacter } from './any-character.ts'

it.each(['', 'ab', '\ud800', '\udfff', 1])('does not generate %j', (value) => {
  expect(anyCharacter.canShrinkWithoutContext(value)).toBe(false)
})

it.each(['\x01', '\ud7ff', '\ue000', '\u{10ffff}'])('generates %j, and shrinks it to the first character', (value) => {
  expect(anyCharacter.canShrinkWithoutContext(value)).toBe(true)
  expect(anyCharacter.shrink(value, undefined).getNthOrLast(0)?.value).toBe('\0')
})
