/** Expected values that no suite compares, each with the reason. The README of the corpora defines the contract of the runners. */
import type { ChangeableCase, NotCompared } from './changed-values.ts'
import { isSameJson } from './compare.ts'
import { isNode } from './shaping/shaping-place.ts'
import { RAW_COUNTS } from './wire/wire-compare.ts'

type Reading = {
  readonly content?: unknown
  readonly tool_calls?: readonly { readonly name?: unknown; readonly arguments?: unknown }[] | null
}

export const NOT_COMPARED = {
  wire: [
    {
      what: 'the note of a case',
      reason: 'The note is a comment about the case.',
      covers: ({ path }) => path === '/expected/note',
    },
    {
      what: 'provider counts that a response does not have',
      reason:
        'The README does not name usage_raw. Cached and reasoning tokens are compared. A response does not contain other counts.',
      covers: ({ path, kind }) => path.startsWith('/expected/usage_raw') && !(kind === 'another value' && isRawCount(path)),
    },
    {
      what: 'the text of an error',
      reason: 'README: the class of an error is compared, not its text. The class is its code or its type.',
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
      reason: 'README: null means that usage is not reported, and 0 is accepted too.',
      covers: ({ path, kind, from }) =>
        kind === 'null' &&
        path.startsWith('/expected/usage') &&
        Object.values(isNode(from) ? from : { from }).every((count) => !count),
    },
    {
      what: 'an id that becomes null',
      reason: 'README: null stands for any generated id.',
      covers: ({ path, kind }) => kind === 'null' && /^\/expected\/tool_calls\/\d+\/id$/.test(path),
    },
  ],
  shaping: [
    {
      what: 'the message of an error',
      reason:
        'The text comes from the converter that throws. As in the wire suite, the class of an error is compared, not its text.',
      covers: ({ path }) => path === '/expected_error/message',
    },
    {
      what: 'the order of required properties',
      reason: 'In JSON Schema, `required` is a set.',
      covers: ({ path, kind }) => kind === 'another order' && path.endsWith('/required'),
    },
    {
      what: 'the order of the parts of allOf, or a missing part',
      reason: 'Parts are merged, so they have no order, and a missing keyword is not asserted.',
      covers: ({ path, kind }) => path.endsWith('/allOf') && (kind === 'another order' || kind === 'an item less'),
    },
    {
      what: 'the position of null in a choice between two types',
      reason: 'Null becomes `nullable`, which has no position.',
      covers: ({ path, kind, from }) => kind === 'another order' && path.endsWith('/oneOf') && isOrNull(from),
    },
  ],
  dialects: [
    {
      what: 'parts that are not in `checked`',
      reason:
        'Only the parts in `checked` are asserted. Other parts, `reasoning` and `fields` are advisory. White space around content is trimmed.',
      covers: (change, one) => isSameJson(checkedOf(change.expected, one), checkedOf(one.expected, one)),
    },
  ],
  bfcl: [
    {
      what: 'the order of calls',
      reason: "The leaderboard's checker accepts parallel calls in any order.",
      covers: ({ path, kind }) => path === '/ground_truth' && kind === 'another order',
    },
  ],
  retrieval: [
    {
      what: 'the order of tools',
      reason: 'README: the expected result is the set of distinct names.',
      covers: ({ kind }) => kind === 'another order',
    },
  ],
  recovery: [
    {
      what: 'the value of a text that is refused',
      reason: 'README: `reject` expects a refusal, `may` a refusal or the value, `nocrash` any result.',
      covers: ({ path }, { checked = [] }) => /^\/expected(?:\/|$)/.test(path) && !checked.includes('expected'),
    },
    {
      what: 'names of reasons and repairs',
      reason: "README: a refusal has a tag, and a recovery has at least one. The levels don't define which.",
      covers: ({ path }) => /^\/(?:tag|repairs)/.test(path),
    },
    {
      what: 'the value that a stream shows',
      reason: 'README: `partial` is a display value, which is only reported.',
      covers: ({ path }) => path.startsWith('/partial'),
    },
    {
      what: 'the time limit',
      reason: 'The limit is an upper bound, so a result within it is also within a limit that is one millisecond higher.',
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

/** Returns the parts of a reading that the case asserts. */
function checkedOf(reading: Reading, { checked = [] }: ChangeableCase): Readonly<Record<string, unknown>> {
  const calls = reading.tool_calls ?? []
  const parts = {
    content: String(reading.content ?? '').trim(),
    count: calls.length,
    name: calls.map((call) => call?.name),
    arguments: calls.map((call) => call?.arguments),
  }
  return Object.fromEntries(Object.entries(parts).filter(([part]) => checked.includes(part)))
}
