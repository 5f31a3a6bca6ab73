import { expect, it } from 'vitest'
import { AgentError, isAgentError } from './errors.ts'

it('an error of the agent is known by its mark, also when another copy of the package made it', () => {
  const error = new AgentError('aborted', 'No.')
  const copied = Object.assign(new Error('No.'), { [Symbol.for('@x/react-agent/error')]: true })
  expect([error, copied, new Error('No.'), { code: 'aborted' }, null, undefined].map(isAgentError)).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
  ])
})
