import type { AgentEvent } from '@x/react-agent'
import { describe, expect, it } from 'vitest'
import { createLiveView, showAnswer } from './live-view.ts'
import { type Outcome, showOutcomes } from './outcomes.ts'
import { duration, oneLine, wrap } from './plain-text.ts'
import { layOut } from './table.ts'
import { createTerminal, type Screen } from './terminal.ts'

function screen(isTTY: boolean) {
  const written: string[] = []
  const stub: Screen = { isTTY, columns: 60, write: (text) => written.push(text) }
  return { stub, written }
}

function found(callId: string, name: string, text: string, ms: number): AgentEvent {
  const observation = { callId, name, ok: true, text }
  const call = { callId, name, ok: true, args: {}, output: text, tags: [], outputTags: [] } as const
  return { type: 'call_finished', step: 1, ms, ...call, observation }
}

const events: readonly AgentEvent[] = [
  { type: 'step_started', step: 1 },
  {
    type: 'assistant_message',
    step: 1,
    response: { text: 'I look\nit up.', toolCalls: [{ id: '1', name: 'find', arguments: '{}' }] },
  },
  { type: 'call_started', step: 1, call: { id: '1', name: 'find', args: { text: 'tea' } } },
  found('1', 'find', 'x'.repeat(90), 12.4),
  {
    type: 'call_finished',
    step: 1,
    ms: 1500,
    callId: '1',
    name: 'find',
    ok: false,
    error: { code: 'execution_failed', message: 'no' },
    observation: { callId: '1', name: 'find', ok: false, text: 'Error: no' },
  },
  { type: 'assistant_message', step: 2, response: { text: 'Tea is here.', toolCalls: [] } },
]

describe('the live view', () => {
  it('shows thought, call, result and answer as plain text without a color terminal', () => {
    const { stub, written } = screen(false)
    const terminal = createTerminal(stub, {})
    const show = createLiveView({ ...terminal, width: 60 }, 'Where is tea?')
    for (const event of events) show(event)
    showAnswer(terminal, { answer: 'Tea is here.\nAnd cake.', answered: true })
    expect(written).toEqual([
      '  thought  I look it up.\n',
      '  call     find {"text":"tea"}\n',
      `  result   ${'x'.repeat(37)}… (12 ms)\n`,
      '  result   Error: no (1.5 s)\n',
      '  answer   Tea is here.\n',
      '           And cake.\n',
    ])
  })

  it('omits a thought that only repeats the request', () => {
    const { stub, written } = screen(false)
    const show = createLiveView(createTerminal(stub, {}), 'Where is tea?')
    const think = (text: string) =>
      show({ type: 'assistant_message', step: 1, response: { text, toolCalls: [{ id: '1', name: 'find', arguments: '{}' }] } })
    think('The request asks for "Where is tea?"; calling find.')
    think('Tea first, then cake.')
    expect(written).toEqual(['  thought  Tea first, then cake.\n'])
  })

  it('prints the tool of a result when several calls ran in parallel', () => {
    const { stub, written } = screen(false)
    const calls = ['a', 'b'].map((id) => ({ id, name: `find_${id}`, arguments: '{}' }))
    const show = createLiveView(createTerminal(stub, {}), 'Where is tea?')
    show({ type: 'assistant_message', step: 1, response: { text: '', toolCalls: calls } })
    show(found('b', 'find_b', 'tea', 1))
    expect(written).toEqual(['  result   find_b tea (1 ms)\n'])
  })

  it('uses colors on a terminal, and not when NO_COLOR is set or the terminal is dumb', () => {
    const shown = (environment: NodeJS.ProcessEnv) => {
      const { stub, written } = screen(true)
      showAnswer(createTerminal(stub, environment), { answer: 'yes', answered: true })
      return written.join('')
    }
    expect(shown({})).toContain('\u001b[32m')
    expect(shown({ NO_COLOR: '1' })).toBe('  answer   yes\n')
    expect(shown({ TERM: 'dumb' })).toBe('  answer   yes\n')
  })

  it('wraps an answer between words', () => {
    const { stub, written } = screen(true)
    showAnswer(createTerminal(stub, { NO_COLOR: '1' }), { answer: 'some words '.repeat(12), answered: true })
    expect(written.join('')).toMatch(/^ {2}answer {3}(?:(?:some|words) ?)+\n(?: {11}(?:(?:some|words) ?)+\n)+$/)
    expect(Math.max(...written.map((text) => text.length - 1))).toBeLessThanOrEqual(60)
    expect(wrap('  - one two\nabcdefghij', 6)).toEqual(['- one', '  two', 'abcdef', 'ghij'])
  })

  it('removes control characters from the text of a tool', () => {
    const { stub, written } = screen(true)
    const { line, paint } = createTerminal(stub, {})
    line(`\u001b]0;title\u0007${paint('red', 'a\u001b[2J')}\u001b[5m`)
    expect(written).toEqual([']0;title\u001b[31ma\u001b[39m\n'])
    expect(oneLine('a\u001b[2Jb\u0007\r\n\tc\u009b1m', 20)).toBe('ab c1m')
  })

  it('cuts and wraps by columns, not within a character', () => {
    expect(oneLine('👩‍🚀'.repeat(30), 5)).toBe('👩‍🚀👩‍🚀…')
    expect([oneLine('日本語', 6), oneLine('日本語', 5), oneLine(`e${'\u0301'.repeat(5)}`, 1)]).toEqual([
      '日本語',
      '日本…',
      `e${'\u0301'.repeat(5)}`,
    ])
    expect(wrap('東京から京都へ 行く', 6)).toEqual(['東京か', 'ら京都', 'へ', '行く'])
    expect(wrap('List:\n  - one two', 7)).toEqual(['List:', '  - one', '    two'])
  })

  it('lays out a table by its widest cells', () => {
    expect(
      layOut([
        ['a', 'bb'],
        ['ccc', '✓'],
      ]),
    ).toEqual(['a    bb', '───  ──', 'ccc  ✓'])
    expect(
      layOut([
        ['a', 'b'],
        ['東京', 'c'],
        ['Oslo', 'd'],
      ]).slice(-2),
    ).toEqual(['東京  c', 'Oslo  d'])
    expect(layOut([])).toEqual([])
  })

  it('formats durations', () => {
    expect([0.4, 999.4, 1250].map(duration)).toEqual(['0 ms', '999 ms', '1.3 s'])
  })
})

describe('the end of the tour', () => {
  const outcomes = [true, false].map(
    (passed): Outcome => ({
      stop: 'shop',
      request: { request: 'Find tea '.repeat(20), expected: [{ tool: 'find_everything' }, { tool: 'find_nothing_at_all' }] },
      record: { answer: '', answered: true, calls: [{ tool: 'find_everything', args: {}, ok: true }], ms: 12 },
      passed,
    }),
  )
  const shown = (columns: number) => {
    const { stub, written } = screen(true)
    showOutcomes(createTerminal({ ...stub, columns }, { NO_COLOR: '1' }), outcomes)
    return written.map((text) => text.trimEnd())
  }

  it.each([20, 40, 60, 95, 96, 97, 98, 99, 100, 101, 102, 140])('is no wider than a terminal of %i columns', (columns) => {
    const lines = shown(columns)
    expect(Math.max(...lines.map((text) => text.length))).toBeLessThanOrEqual(Math.max(40, columns))
    expect(lines.at(-1)).toBe('1 of 2 requests passed')
  })

  it('is a table on a wide terminal, otherwise a few lines for each request', () => {
    expect(shown(140)[1]).toMatch(/^domain {2}request +expected tools +called tools +pass {2}time$/)
    expect(shown(60).slice(1, -2)).toEqual([
      '✓ Find tea Find tea Find tea Find tea Find tea Find tea Fin…',
      '  called find_everything (12 ms)',
      '✗ Find tea Find tea Find tea Find tea Find tea Find tea Fin…',
      '  called find_everything (12 ms)',
      '  expected find_everything, find_nothing_at_all',
    ])
  })
})
