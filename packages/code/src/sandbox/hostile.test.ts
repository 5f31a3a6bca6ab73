/** Runs hostile programs in a worker. Each of them must end as a bounded error, and have no effect. */
import { defineTool } from '@x/tool-core'
import * as Type from 'typebox'
import { describe, expect, it } from 'vitest'
import { numberTool, openAgent } from '../../test/agent.ts'
import { HOSTILE } from '../../test/hostile.ts'

const LIMITS = { memoryBytes: 32 * 1024 * 1024, calls: 20 }
const REASON: readonly (readonly [reason: string, text: RegExp])[] = [
  ['syntax_error', /is not valid JavaScript/],
  ['program_failed', /^Error: The program failed/],
  ['never_ends', /never settles/],
  ['time_limit', /computed for longer/],
  ['memory_limit', /MiB of memory/],
  ['too_many_calls', /more than 20 calls/],
  ['output_too_large', /^Error: The result has/],
  ['sandbox_failed', /crashed/],
]

const reasonOf = (text: string) => REASON.find(([, pattern]) => pattern.test(text))?.[0]

describe('a hostile program', () => {
  it.each(HOSTILE)('$name', async ({ code, returns, fails }) => {
    const log: string[] = []
    const echo = defineTool({
      name: 'echo',
      description: 'Echoes.',
      args: Type.Object({ text: Type.String() }),
      effect: 'read',
      execute: (args) => args,
    })
    const agent = await openAgent(
      code,
      [numberTool('get', { log }), numberTool('pay', { log, effect: 'write' }), echo as never],
      { limits: { ...LIMITS, timeMs: fails?.includes('time_limit') ? 300 : 10_000 } },
    )
    const { trajectory } = await agent.run({ question: '?' }, { id: 'r' })
    const text = trajectory.messages.flatMap((message) => ('callId' in message ? [String(message.content)] : []))[0] ?? ''
    expect(text.length).toBeLessThan(20_000)
    expect(log.some((line) => line.startsWith('pay'))).toBe(false)
    expect(log.length).toBeLessThanOrEqual(LIMITS.calls)
    if (fails !== undefined) expect(`${reasonOf(text)}: ${text.slice(0, 300)}`).toMatch(new RegExp(`^(${fails}):`))
    else expect(JSON.parse(text).result).toEqual(returns)
  })
})
