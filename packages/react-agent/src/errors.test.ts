import { inspect } from 'node:util'
import { AdapterError } from '@x/adapters'
import { LMError } from '@x/lm'
import { RegistryError } from '@x/registry'
import { ToolError } from '@x/tool-core'
import { expect, it } from 'vitest'
import { AgentError, isAgentError, withReport } from './errors.ts'

it('isAgentError recognizes errors, even from another copy of the package', () => {
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

it('has no property without a value, and reports the usage', () => {
  const usage = { inputTokens: 3, outputTokens: 4 }
  expect(Object.keys(new AgentError('aborted', 'No.')).toSorted()).toEqual(['code', 'errors', 'unknownCalls'])
  expect({ ...new AgentError('max_steps', 'No.', { usage, cost: 0.2, steps: 2 }) }).toEqual({
    ...{ code: 'max_steps', errors: [], unknownCalls: [] },
    ...{ usage, cost: 0.2, steps: 2 },
  })
})

it('keeps all properties when unknown calls are added', () => {
  const cause = new Error('Why.')
  const options = { usage: {}, cost: 1, steps: 2, rawOutput: 'x', trajectory: { messages: [] }, cause } as never
  const unknown = [{ callId: 'a', name: 'order', args: {} }] as never
  const error = withReport(new AgentError('aborted', 'No.', options), { unknownCalls: unknown })
  expect({ ...error }).toEqual({ ...new AgentError('aborted', 'No.', options), unknownCalls: unknown })
  expect(error.cause).toBe(cause)
})

it.each([
  new AgentError('aborted', 'No.', { rawOutput: 'x' }),
  new ToolError('timeout', 'No.', { retryable: true }),
  new AdapterError('invalid_tool_spec', 'No.', { field: 'tools' }),
  new LMError('http_error', 'No.', { status: 500 }),
  new RegistryError('not_found', 'No.'),
])('$name has its name, code and message as JSON, and is printed once under its name', (error) => {
  expect(JSON.parse(JSON.stringify(error))).toEqual(Object.assign({ name: error.name, message: 'No.' }, error))
  expect(error.stack).toMatch(new RegExp(`^${error.name}: No\\.\n`))
  expect(inspect(error)).toMatch(new RegExp(`^${error.name}: No\\.\n`))
  expect(inspect(error)).not.toMatch(/undefined|Symbol|name:/)
})
