import { describe, expect, it } from 'vitest'
import { type Event, type Line, SERVER } from './log.ts'
import { MIXED_CALLS } from './scripts.ts'
import { checkDecided, checkMixed, type LoadStatus } from './verdict.ts'

const line = (event: Event, call: string, { pid = 1, detail = '' } = {}): Line => ({ pid, event, run: 'a', call, detail })

const status = (unknown: readonly string[] = []): LoadStatus => ({
  id: 'a',
  state: 'finished',
  input: 'mixed',
  waitsFor: [],
  output: { answer: 'Done.', unknown },
  startedAt: '',
})

const KEPT = MIXED_CALLS.flatMap(({ id }) => [line('intent', id), line('effect', id), line('recorded', id)])
const without = (event: Event, call: string) => KEPT.filter((other) => other.event !== event || other.call !== call)
const mixed = (lines: readonly Line[], unknown: readonly string[] = []) => checkMixed(['a'], [status(unknown)], lines).broken
/** The lines of an unknown call that the first worker began and the second one reported, and of the other calls. */
const unknown = (...between: readonly Line[]) => [
  ...KEPT.filter(({ call }) => call !== 'c3'),
  line('intent', 'c3'),
  ...between,
  line('recorded', 'c3', { pid: 2 }),
]
const killed = (pid: number): Line => ({ pid, event: 'killed', run: '-', call: '-', detail: '' })

describe('checkMixed', () => {
  it('accepts a run with each effect once, and an unknown call whose worker or server was killed', () => {
    expect(mixed(KEPT)).toEqual([])
    expect(mixed(unknown(killed(1)), ['c3'])).toEqual([])
    expect(mixed(unknown(line('effect', 'c3'), killed(SERVER)), ['c3'])).toEqual([])
  })

  it('accepts a read and an idempotent call that are executed again before their result is recorded', () => {
    expect(mixed([line('effect', 'c1'), line('effect', 'c5'), ...KEPT])).toEqual([])
  })

  it('reports a second effect, a lost one, and a call that is executed after its result was recorded', () => {
    expect(mixed([line('effect', 'c3'), ...KEPT])).toEqual(['a: c3 has 2 effects'])
    expect(mixed(without('effect', 'c3'))).toEqual(['a: c3 (write) was lost'])
    expect(mixed([...KEPT, line('effect', 'c1')])).toEqual(['a: c1 was executed again after its result was recorded'])
  })

  it('reports an unknown call if no process was killed, another one was, or it was killed before or afterwards', () => {
    const words = ['a: c3 is unknown, but no process was killed during it']
    for (const lines of [unknown(), unknown(killed(2)), [killed(1), ...unknown()], [...unknown(), killed(1)]])
      expect(mixed(lines, ['c3'])).toEqual(words)
  })

  it('reports a run that is missing, has not finished, or is listed twice', () => {
    expect(checkMixed(['a'], [], KEPT).broken).toEqual(['a is missing'])
    expect(checkMixed(['a'], [{ ...status(), state: 'running' }], KEPT).broken).toEqual(['a is running'])
    expect(checkMixed(['a'], [status(), status()], KEPT).broken).toEqual(['a is listed 2 times'])
  })
})

describe('checkDecided', () => {
  const decided = (...lines: readonly Line[]) => checkDecided(['a'], [status()], lines).broken

  it('accepts one decision and the payment that it asks for', () => {
    expect(decided(line('decided', 'approve'), line('refused', 'edit'), line('effect', 'c1', { detail: '100' }))).toEqual([])
    expect(decided(line('decided', 'edit'), line('effect', 'c1', { detail: '50' }))).toEqual([])
    expect(decided(line('decided', 'reject'))).toEqual([])
  })

  it('reports two decisions, none, and another payment than the decided one', () => {
    const paid = line('effect', 'c1', { detail: '100' })
    expect(decided(line('decided', 'approve'), line('decided', 'edit'), paid)).toEqual(['a: 2 decisions were accepted'])
    expect(decided()).toEqual(['a: 0 decisions were accepted'])
    expect(decided(line('decided', 'edit'), paid)).toEqual(['a: "edit" was decided and "100" paid'])
    expect(decided(line('decided', 'approve'), paid, paid)).toEqual(['a: "approve" was decided and "100,100" paid'])
  })
})
