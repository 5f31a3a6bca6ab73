/** Checks that the result doesn't depend on how the text is split, and that text and reasoning are kept apart. */
import type { ToolSpec } from '@x/tool-core'
import type { Dialect, DialectReading, ParserOptions } from '../../dialects/define/dialect.ts'
import type { LMDelta } from '../../protocol/protocol.ts'
import { ensure, ensureSame } from '../contract-error.ts'
import type { DialectCheckDefinition, DialectSubject } from '../dialect-check.ts'
import { createRandom, type Random } from '../random.ts'
import { cutAtRandom, readPieces, streamPieces, toReadCall } from './reading.ts'
import { fewTurns, quote, turnsOf } from './written-turns.ts'

export const STREAM_CHECKS: readonly DialectCheckDefinition[] = [
  {
    id: 'cut-anywhere',
    name: 'the result does not depend on how the text is split, and `parse` returns the same as a stream',
    check(subject) {
      const { dialect } = subject
      const random = createRandom(subject.seed)
      for (const text of oddTexts(subject, random)) {
        const options = { startsInReasoning: random.chance(0.1) }
        const whole = readPieces(dialect, [text], options)
        ensureSame(readPieces(dialect, text.split(''), options), whole, `One character at a time, ${JSON.stringify(text)}`)
        ensureSame(readPieces(dialect, cutAtRandom(random, text), options), whole, `In pieces, ${JSON.stringify(text)}`)
      }
      for (const { text, tools } of [...fewTurns(subject), ...subject.samples]) {
        ensureParsed(dialect, text, [])
        ensureParsed(dialect, text.slice(0, -1), tools)
        ensureParsed(dialect, text.slice(0, text.length >> 1), tools)
      }
    },
  },
  {
    id: 'plain-text',
    name: 'prose is returned unchanged, and reasoning separately',
    check(subject) {
      const { dialect } = subject
      for (const text of PROSE) {
        const reading = readPieces(dialect, cutAtRandom(createRandom(text.length), text))
        ensureSame([reading.text.trim(), reading.toolCalls], [text.trim(), []], `The prose ${JSON.stringify(text)}`)
        ensureParsed(dialect, text, [])
      }
      ensureReasoning(subject)
    },
  },
  {
    id: 'streams',
    name: 'prose is emitted as it arrives, and each call starts once and ends once, or is withdrawn',
    check(subject) {
      const { dialect } = subject
      const parser = dialect.streamParser()
      const early = [...'Some words, and then a few more of them. Then a second sentence.'].flatMap((unit) => [
        ...parser.push(unit),
      ])
      ensure(early.length > 1, 'Prose is held back until the end.')
      const random = createRandom(subject.seed + 7)
      for (const text of oddTexts(subject, random)) ensureInOrder([...streamPieces(dialect, cutAtRandom(random, text))], text)
    },
  },
]

const PROSE = [
  'The answer is 42.',
  'First line.\n\nSecond line, with 3 < 4 and 5 > 2, a & b, and "quotes".',
  'Ünïcödé 日本語 😀 and a tab\there.',
  'Two spaces at the end  \nof a line, and  two  between words.',
  'Items:\n- one (see below)\n- two, as said: later\n\nEnd.',
]

/**
 * Throws unless a stream and `parse` give the same result, including tags and `malformedCalls`. Also reads truncated text and
 * requests without tools, which lead to tags and malformed calls.
 */
function ensureParsed(dialect: Dialect, text: string, tools: readonly ToolSpec[]): void {
  const found = toComparable(readPieces(dialect, [text], { tools }))
  ensureSame(found, toComparable(dialect.parse(text, { tools })), `A stream differs from \`parse\`, for ${quote(text)}`)
}

function toComparable({ text, reasoning = '', toolCalls, malformedCalls = [] }: DialectReading) {
  const calls = toolCalls.map(({ id, name, arguments: json, truncated = false, tags = [] }) => ({
    ...{ id, name, json, truncated, tags },
  }))
  return { text: text.trim(), reasoning: reasoning.trim(), calls, malformedCalls }
}

/** Checks reasoning between each pair of the dialect's markers, and reasoning that begins in the prompt. */
function ensureReasoning(subject: DialectSubject): void {
  const { dialect } = subject
  const { open = [], close = [] } = dialect.reasoning ?? {}
  const begun = { startsInReasoning: true }
  ensureThought(dialect, THOUGHT, '', begun)
  for (const { text, tools } of [{ text: 'Done.', tools: [] }, ...fewTurns(subject).slice(0, 1)]) {
    for (const end of close) {
      ensureThought(dialect, `${THOUGHT}${end}`, text, { tools, ...begun })
      for (const start of open) ensureThought(dialect, `${start}${THOUGHT}${end}`, text, { tools })
    }
  }
}

const THOUGHT = 'Hm, 3 < 4.\nSo I look.'

/** Throws unless text after reasoning is read in the same way as without the reasoning. */
function ensureThought(dialect: Dialect, before: string, behind: string, options: ParserOptions): void {
  const { text, toolCalls } = dialect.parse(behind, { ...options, startsInReasoning: false })
  const expected = [THOUGHT, text, toolCalls.map(toReadCall)]
  const longer = `${before}\n${behind}`
  for (const reading of [dialect.parse(longer, options), readPieces(dialect, cutAtRandom(createRandom(1), longer), options)]) {
    const found = [reading.reasoning?.trim(), reading.text.trim(), reading.toolCalls.map(toReadCall)]
    ensureSame(found, expected, `Reasoning, text and calls of ${quote(longer)}`)
  }
}

/** Returns texts that the dialect writes, damaged or mixed with its markers and with prose. */
export function oddTexts(subject: DialectSubject, random: Random): readonly string[] {
  const { fragments, runs } = subject
  const written = turnsOf({ ...subject, runs: Math.ceil(runs / 4) }, 2)
  const singles = turnsOf({ ...subject, runs: Math.ceil(runs / 4) }, 1)
  const samples = subject.samples.map(({ text }) => text)
  const texts = [...[...written, ...singles].map(({ text }) => text), ...Array.from({ length: TIMES }, () => samples).flat()]
  const parts = [...fragments, 'Words. ', '\n', '{', '"', '<', '</', '\ud83d', '\ude00', '<think>', '</think>']
  const mixed = Array.from({ length: Math.ceil(runs / 4) }, () => {
    return Array.from({ length: 1 + random.below(12) }, () => random.pick(parts)).join('')
  })
  return [...samples, ...texts.map((text) => damage(text, random)), ...mixed]
}

/** Number of damaged copies of each sample. */
const TIMES = 4

/**
 * Returns damaged text: truncated, or with a piece removed, inserted or doubled. Sometimes returns intact text between other
 * words.
 */
export function damage(text: string, random: Random): string {
  const at = random.below(text.length + 1)
  const length = random.below(8)
  switch (random.below(5)) {
    case 0:
      return text.slice(0, at) + text.slice(at + length)
    case 1:
      return text.slice(0, at) + random.pick(['"', '{', '}', '<', '>', "'", '\\', '\n', '😀', '</', ']']) + text.slice(at)
    case 2:
      return text.slice(0, at + length) + text.slice(at)
    case 3:
      return text.slice(0, at)
    default:
      return `Words before. ${text} Words after.`
  }
}

function ensureInOrder(deltas: readonly LMDelta[], text: string): void {
  const open = new Set<number>()
  const over = new Set<number>()
  const shown = () => `in the deltas of ${JSON.stringify(text)}`
  for (const delta of deltas) {
    if (delta.type === 'call_start') {
      ensure(!open.has(delta.index) && !over.has(delta.index), `Call ${delta.index} starts twice ${shown()}`)
      open.add(delta.index)
    } else if (delta.type === 'arguments') ensure(open.has(delta.index), `Arguments without a call ${shown()}`)
    else if (delta.type === 'call_end' || (delta.type === 'malformed_call' && delta.index !== undefined)) {
      ensure(open.delete(delta.index as number), `Call ${delta.index} ends without a start ${shown()}`)
      over.add(delta.index as number)
    }
  }
  ensure(open.size === 0, `A call never ends ${shown()}`)
}
