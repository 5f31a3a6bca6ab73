/** Expected values that no suite compares, each with the reason: the contract of the runners, in the README of the corpora. */
import type { ChangeableCase, NotCompared } from './changed-values.ts'
import { isSameJson } from './compare.ts'
import { isNode } from './shaping-place.ts'
import { RAW_COUNTS } from './wire-compare.ts'

type Reading = {
  readonly content?: unknown
  readonly tool_calls?: readonly { readonly name?: unknown; readonly arguments?: unknown }[] | null
}

export const NOT_COMPARED = {
  wire: [
    {
      what: 'the note of a case',
      reason: 'It is a text about the case.',
      covers: ({ path }) => path === '/expected/note',
    },
    {
      what: 'counts of the provider that a response does not have',
      reason: 'The README does not name usage_raw. Cached and reasoning tokens are compared, sums and prices have no place.',
      covers: ({ path, kind }) => path.startsWith('/expected/usage_raw') && !(kind === 'another value' && isRawCount(path)),
    },
    {
      what: 'the words of an error',
      reason: 'An error asserts that one of the matching class is reported, not its words. Its class is its code or its type.',
      covers: ({ path, kind, from }, { expected }) => {
        const key = /^\/expected\/error\/(.+)$/.exec(path)?.[1]
        if (key === undefined) return false
        const { code, type } = (expected.expected as { error: { code?: unknown; type?: unknown } }).error
        const isClass = (key === 'code' || key === 'type') && !String(from).includes(' ')
        return !isClass || kind === 'null' || (code === type && code !== undefined)
      },
    },
    {
      what: 'usage that is not reported',
      reason: 'Null is usage that is not reported, and 0 is accepted too: for one count, or for all.',
      covers: ({ path, kind, from }) =>
        kind === 'null' &&
        path.startsWith('/expected/usage') &&
        Object.values(isNode(from) ? from : { from }).every((count) => !count),
    },
    {
      what: 'an id that becomes null',
      reason: 'Null is any minted id.',
      covers: ({ path, kind }) => kind === 'null' && /^\/expected\/tool_calls\/\d+\/id$/.test(path),
    },
  ],
  shaping: [
    {
      what: 'the message of an error',
      reason: 'It is in the words of the converter that throws; the class of an error is compared, not its words.',
      covers: ({ path }) => path === '/expected_error/message',
    },
    {
      what: 'the order of required properties',
      reason: '`required` of JSON Schema is a set.',
      covers: ({ path, kind }) => kind === 'another order' && path.endsWith('/required'),
    },
    {
      what: 'the order of the parts of allOf, or a part less',
      reason: 'Parts are merged, so they have no order, and a keyword that is absent is not asserted.',
      covers: ({ path, kind }) => path.endsWith('/allOf') && (kind === 'another order' || kind === 'an item less'),
    },
    {
      what: 'the place of null in a choice of two',
      reason: 'Null is said by `nullable`, which has no place.',
      covers: ({ path, kind, from }) => kind === 'another order' && path.endsWith('/oneOf') && isOrNull(from),
    },
  ],
  dialects: [
    {
      what: 'parts that are not in `checked`',
      reason: '`checked` names the parts that are asserted; others, with `reasoning` and `fields`, are advisory.',
      covers: (change, one) => isSameJson(checkedOf(change.expected, one), checkedOf(one.expected, one)),
    },
  ],
  bfcl: [
    {
      what: 'the order of calls',
      reason: 'The checker of the leaderboard takes parallel calls in any order.',
      covers: ({ path, kind }) => path === '/ground_truth' && kind === 'another order',
    },
  ],
  retrieval: [
    {
      what: 'the order of tools',
      reason: 'Recall is about the set of distinct names.',
      covers: ({ kind }) => kind === 'another order',
    },
  ],
  recovery: [
    {
      what: 'the value of a text that is refused',
      reason: '`reject` is a refusal, `may` a refusal or the value, `nocrash` any answer.',
      covers: ({ path }, { checked = [] }) => /^\/expected(?:\/|$)/.test(path) && !checked.includes('expected'),
    },
    {
      what: 'names of reasons and repairs',
      reason: 'A refusal has a code and a recovery at least one tag: the levels do not say which.',
      covers: ({ path }) => /^\/(?:tag|repairs)/.test(path),
    },
    {
      what: 'the value that a stream shows',
      reason: '`partial` is a display value, reported only.',
      covers: ({ path }) => path.startsWith('/partial'),
    },
    {
      what: 'the limit of time',
      reason: 'It is a bound, and no value: one step more is right too.',
      covers: ({ path }) => path === '/max_ms',
    },
  ],
} satisfies Readonly<Record<string, readonly NotCompared[]>>

function isRawCount(path: string): boolean {
  return RAW_COUNTS.some(({ paths }) => paths.some((keys) => path === `/expected/usage_raw/${keys.join('/')}`))
}

function isOrNull(choices: unknown): boolean {
  return Array.isArray(choices) && choices.length === 2 && choices.some((choice) => isSameJson(choice, { type: 'null' }))
}

/** The parts of a reading that a case asserts. */
function checkedOf(reading: Reading, { checked = [] }: ChangeableCase): Readonly<Record<string, unknown>> {
  const calls = reading.tool_calls ?? []
  const parts = {
    // White space around it is not compared, and none is an empty one.
    content: String(reading.content ?? '').trim(),
    count: calls.length,
    name: calls.map((call) => call?.name),
    arguments: calls.map((call) => call?.arguments),
  }
  return Object.fromEntries(Object.entries(parts).filter(([part]) => checked.includes(part)))
}
