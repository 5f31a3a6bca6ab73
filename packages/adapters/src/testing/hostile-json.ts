/** JSON that no provider should send, but that some provider will send sooner or later. */
import { pathOf, placesIn, replaceAt } from './json-walk.ts'

/** Returns values of every type that can replace a whole reply or event. */
export function hostileValues(): readonly unknown[] {
  return [
    ...[undefined, null, true, false, 0, -1, 1.5, '', 'data', '[DONE]', [], [null], [[]], {}],
    ...['choices', 'candidates', 'output', 'content', 'message', 'error', 'delta', 'usage'].flatMap((key) => [
      { [key]: null },
      { [key]: 7 },
      { [key]: 'x' },
      { [key]: [] },
      { [key]: [null, 7, 'x', [], {}] },
      { [key]: {} },
    ]),
    JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"toString":1,"hasOwnProperty":1}'),
    { error: { message: { toString: 1 }, code: [], type: {} } },
    nest(5_000, (value) => [value]),
    nest(5_000, (value) => ({ content: value })),
  ]
}

const REPLACEMENTS: readonly unknown[] = [
  undefined,
  null,
  '',
  'x',
  7,
  -1,
  true,
  [],
  {},
  [null],
  JSON.parse('{"__proto__":{"polluted":true}}'),
]

/**
 * Yields copies of a value, each with one position changed or removed. Yields at most `limit` copies, spread evenly over all
 * positions. Default: 600.
 */
export function* mutantsOf(root: unknown, limit = 600): Generator<unknown> {
  const paths = placesIn(root).map(pathOf)
  const count = paths.length * REPLACEMENTS.length
  const step = Math.max(1, Math.ceil(count / limit))
  for (let number = 0; number < count; number += step) {
    const path = paths[Math.floor(number / REPLACEMENTS.length)] ?? []
    yield replaceAt(root, path, REPLACEMENTS[number % REPLACEMENTS.length])
  }
}

/** Yields copies that contain a value nested too deeply to be serialized. */
export function* deepMutantsOf(root: unknown): Generator<unknown> {
  const deep = nest(5_000, (value) => ({ a: value }))
  for (const place of placesIn(root).slice(0, 20)) yield replaceAt(root, pathOf(place), deep)
}

function nest(depth: number, wrap: (value: unknown) => unknown): unknown {
  let value: unknown = 'x'
  for (let level = 0; level < depth; level++) value = wrap(value)
  return value
}
