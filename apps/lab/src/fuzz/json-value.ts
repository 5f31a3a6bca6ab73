/** Generates random JSON values of all shapes, mostly small, with tricky keys, strings and numbers. */
import type { Random } from './random.ts'

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

/** Generates an object, like a call's arguments. */
export function randomObject(random: Random, depth = 0): { [key: string]: Json } {
  const keys = Array.from({ length: random.below(depth === 0 ? 6 : 4) }, () => randomKey(random))
  return Object.fromEntries(keys.map((key) => [key, randomValue(random, depth + 1)]))
}

export function randomValue(random: Random, depth = 0): Json {
  const kind = random.below(depth > 3 ? 5 : 8)
  if (kind < 2) return randomText(random)
  if (kind === 2) return randomNumber(random)
  if (kind === 3) return random.pick([true, false, null])
  if (kind === 4) return random.pick(['', 'yes', 'Oslo', 0, -1])
  if (kind === 5) return Array.from({ length: random.below(4) }, () => randomValue(random, depth + 1))
  return randomObject(random, depth)
}

/** Generates a key. Duplicate keys in one value are rare, because changes to them aren't compared. */
function randomKey(random: Random): string {
  if (random.chance(0.06)) return random.pick(ODD_KEYS)
  return `${random.pick(['city', 'path', 'items', 'note', 'x', 'user_id', 'content'])}${random.below(1000)}`
}

export function randomText(random: Random): string {
  const words = Array.from({ length: random.below(4) }, () => random.pick(WORDS))
  return words.join(random.pick(['', ' ', ', ']))
}

function randomNumber(random: Random): number {
  if (random.chance(0.2)) return random.pick([0, -0, 1e21, 5e-324, -1.5e-7, 2 ** 53, -(2 ** 53), 1e300])
  return random.chance(0.5) ? random.below(1000) - 200 : (random.below(100_000) - 20_000) / 100
}

const ODD_KEYS = [
  '',
  ' ',
  'a b',
  '__proto__',
  'constructor',
  'toString',
  'true',
  'null',
  '0',
  'a"b',
  "it's",
  'é',
  '🌍',
  'a/b',
  'a~b',
] as const

const WORDS = [
  'Paris',
  'a',
  '5" wide',
  "it's",
  'say "hi"',
  '{"a":1}',
  '[1, 2]',
  'a: b',
  'x, y',
  '// no comment',
  '# one',
  '/* two */',
  '```json',
  'C:\\new\\table',
  'line\nbreak',
  'tab\there',
  '\u0000',
  '\u2028',
  '“quoted”',
  'naïve 🌍',
  '\ud83d',
  'true',
  'null',
  '12',
  '-3.5e2',
  '...',
  '</tool_call>',
  '}',
  ']',
  '{',
  '\\',
  '\\"',
  '`tick`',
  'New York',
] as const
