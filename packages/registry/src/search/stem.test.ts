import fc from 'fast-check'
import { expect, it } from 'vitest'
import { stemOf } from './stem.ts'

// Examples from the paper, which pass through all steps.
it.each([
  ['caresses', 'caress'],
  ['ponies', 'poni'],
  ['cats', 'cat'],
  ['agreed', 'agre'],
  ['feed', 'feed'],
  ['plastered', 'plaster'],
  ['bled', 'bled'],
  ['motoring', 'motor'],
  ['sing', 'sing'],
  ['hopping', 'hop'],
  ['falling', 'fall'],
  ['filing', 'file'],
  ['happy', 'happi'],
  ['sky', 'sky'],
  ['relational', 'relat'],
  ['conditional', 'condit'],
  ['rational', 'ration'],
  ['triplicate', 'triplic'],
  ['formalize', 'formal'],
  ['electrical', 'electr'],
  ['goodness', 'good'],
  ['adoption', 'adopt'],
  ['probate', 'probat'],
  ['rate', 'rate'],
  ['controlling', 'control'],
  ['roll', 'roll'],
  ['generalizations', 'gener'],
  ['oscillators', 'oscil'],
])('turns %s into %s', (word, stem) => expect(stemOf(word)).toBe(stem))

it.each([
  ['calculating', 'calculates'],
  ['searches', 'searching'],
  ['weather', 'weathers'],
])('gives %s and %s the same stem', (one, other) => expect(stemOf(one)).toBe(stemOf(other)))

it('leaves anything but a plain English word unchanged', () => {
  for (const word of ['', 'is', '2024', 'größen', '天気', 'Cats']) expect(stemOf(word)).toBe(word)
})

it('never returns an empty stem, or one that is more than one letter longer', () => {
  const word = fc
    .array(fc.constantFrom(...'aeiouybstlngrdzi'), { minLength: 1, maxLength: 12 })
    .map((letters) => letters.join(''))
  fc.assert(
    fc.property(word, (text) => {
      const { length } = stemOf(text)
      expect(length).toBeGreaterThan(0)
      expect(length).toBeLessThanOrEqual(text.length + 1)
    }),
  )
})
