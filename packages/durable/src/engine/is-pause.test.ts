import { NotDecided } from '@x/react-agent/steps'
import { expect, it } from 'vitest'
import { isMisfit, isPause } from './is-pause.ts'

const circular = new Error('a', { cause: undefined })
circular.cause = circular
const unreadable = new Proxy(new Error('x'), {
  get() {
    throw new Error('no')
  },
})

const emfile = (path: string) => Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE', path })

it.each([
  ['NotDecided', new NotDecided('a'), true],
  ['an agent that waits for approval', Object.assign(new Error('x'), { code: 'approval_required' }), true],
  ['an error with such a cause', new Error('x', { cause: new Error('y', { cause: new NotDecided('a') }) }), true],
  ['another error', Object.assign(new Error('x'), { code: 'max_steps' }), false],
  ['an error that is its own cause', circular, false],
  ['an error that cannot be read', unreadable, false],
  ['nothing', undefined, false],
])('recognizes whether a run waits: %s', (_, error, waits) => {
  expect(isPause(error)).toBe(waits)
})

it.each([
  ['a changed agent', Object.assign(new Error('x'), { code: 'agent_changed' }), true],
  ['an error with such a cause', new Error('x', { cause: Object.assign(new Error('y'), { code: 'steps_mismatch' }) }), true],
  ['another error', Object.assign(new Error('x'), { code: 'approval_invalid' }), false],
  ['an error that cannot be read', unreadable, false],
  ['a module that cannot be opened', emfile('/app/tool.mjs'), true],
  ['an error with such a cause', new Error('x', { cause: emfile('C:\\app\\tool.cjs') }), true],
  ['another file that cannot be opened', emfile('/app/data.csv'), false],
])('recognizes whether a run fits its program: %s', (_, error, misfits) => {
  expect(isMisfit(error)).toBe(misfits)
})
