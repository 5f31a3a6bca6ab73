/** Changes text at random: removes, duplicates, moves and inserts parts. */
import type { Random } from './random.ts'

/** Makes one to four changes. Some of them insert parts of `other`. */
export function mutate(text: string, other: string, random: Random): string {
  let mutant = text
  for (let left = 1 + random.below(4); left > 0; left--) mutant = random.pick(MUTATIONS)(mutant, other, random)
  return mutant
}

/** Generates text that isn't meant as JSON. */
export function randomText(random: Random): string {
  const length = random.below(30)
  if (random.chance(0.1)) return Array.from({ length }, () => String.fromCharCode(random.below(0x10000))).join('')
  return Array.from({ length }, () => random.pick(TOKENS)).join(random.pick(['', '', ' ']))
}

type Mutation = (text: string, other: string, random: Random) => string

const MUTATIONS: readonly [Mutation, ...Mutation[]] = [
  // Removes a part.
  (text, _, random) => splice(text, random, random.below(8) + 1, ''),
  // Removes one unit.
  (text, _, random) => splice(text, random, 1, ''),
  // Duplicates a part.
  (text, _, random) => splice(text, random, 0, slice(text, random)),
  // Inserts a part of another input.
  (text, other, random) => splice(text, random, random.below(3), slice(other, random)),
  (text, _, random) => splice(text, random, 0, random.pick(TOKENS)),
  (text, _, random) => splice(text, random, 1, random.pick(TOKENS)),
  swapStructure,
  // Truncates the text.
  (text, _, random) => text.slice(0, random.below(text.length + 1)),
  // Removes the beginning.
  (text, _, random) => text.slice(random.below(Math.min(text.length, 6) + 1)),
  (text, _, random) => random.pick(['```json\n', '```', 'Sure: ', '\ufeff', '<tool_call>']) + text,
  (text, _, random) => text + random.pick(['\n```', '</tool_call>', '<|im_end|>', ';', '}', ']', '\n\nDone.', ' + ""', '...']),
  // Appends another input.
  (text, other) => `${text}\n${other}`,
  // Escapes the text once more, with and without quotes around it.
  (text) => JSON.stringify(text),
  (text) => JSON.stringify(text).slice(1, -1),
  (text, _, random) => text.replaceAll('"', random.pick(["'", '“', '`', '""', '\\"', ''])),
  (text, _, random) => text.replaceAll(random.pick([',', ':', ' ', '}', '{']), random.pick(['', ',,', ';', '=', '\u00a0', '\n'])),
]

function splice(text: string, random: Random, removed: number, added: string): string {
  const at = random.below(text.length + 1)
  return text.slice(0, at) + added + text.slice(at + removed)
}

function slice(text: string, random: Random): string {
  const from = random.below(text.length + 1)
  return text.slice(from, from + random.below(12) + 1)
}

/** Swaps two structural characters: brackets, commas, colons or quotes. */
function swapStructure(text: string, _: string, random: Random): string {
  const places = [...text.matchAll(/[[\]{},:"]/g)].map(({ index }) => index)
  const one = places[random.below(places.length)]
  const other = places[random.below(places.length)]
  if (one === undefined || other === undefined || one >= other) return text
  return `${text.slice(0, one)}${text[other]}${text.slice(one + 1, other)}${text[one]}${text.slice(other + 1)}`
}

const TOKENS = [
  '{',
  '}',
  '[',
  ']',
  '(',
  ')',
  ',',
  ':',
  ';',
  '=',
  '+',
  '-',
  '.',
  '...',
  '…',
  '"',
  "'",
  '`',
  '´',
  '“',
  '”',
  '‘',
  '’',
  '«',
  '""',
  '"""',
  '\\',
  '\\"',
  "\\'",
  '\\n',
  '\\u',
  '\\u12',
  '\\u0041',
  '\\ud83d',
  '\\x41',
  '\\d',
  '\\\\',
  '\n',
  '\r\n',
  '\t',
  ' ',
  '\u00a0',
  '\u2028',
  '\ufeff',
  '\u0000',
  '\u007f',
  '//',
  '/*',
  '*/',
  '#',
  '<!--',
  '```',
  '```json\n',
  '~~~',
  '<|im_end|>',
  '</tool_call>',
  '</s>',
  'true',
  'false',
  'null',
  'True',
  'None',
  'TRUE',
  'nil',
  'NaN',
  'Infinity',
  '-Infinity',
  'undefined',
  '0',
  '1',
  '-0',
  '007',
  '.5',
  '5.',
  '+5',
  '1e5',
  '1e',
  '1e999',
  '1_000',
  '0x1F',
  '1/3',
  '3kg',
  '12:20',
  '9007199254740993',
  '__proto__',
  '"__proto__":{}',
  '"constructor":{"prototype":{}}',
  'a',
  'b',
  'key',
  'a:',
  '"a":1',
  '"a":',
  '{}',
  '[]',
  '{"a":1}',
  '[1,2]',
  'now()',
  'new Date()',
  'Sure! ',
  'Paris',
  '🌍',
  '\ud83d',
  'é',
] as const
