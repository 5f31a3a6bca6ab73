/** Plays a hostile program, and returns what it achieved that it must not. Runs in browsers too. */
import { defineTool } from '@x/tool-core'
import * as Type from 'typebox'
import type { CodeToolOptions } from '../src/index.ts'
import { numberTool, openAgent, textOf } from './agent.ts'
import type { Hostile } from './hostile.ts'

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

/** Each of them must end as a bounded error, and have no effect. Returns an empty list if it does. */
export async function problemsOf({ code, returns, fails }: Hostile, options: CodeToolOptions = {}): Promise<readonly string[]> {
  const log: string[] = []
  const echo = defineTool({
    name: 'echo',
    description: 'Echoes.',
    args: Type.Object({ text: Type.String() }),
    effect: 'read',
    execute: (args) => args,
  })
  const agent = await openAgent(code, [numberTool('get', { log }), numberTool('pay', { log, effect: 'write' }), echo as never], {
    ...options,
    limits: { ...LIMITS, timeMs: timeFor(fails) },
  })
  const text = textOf(await agent.run({ question: '?' }, { id: 'r' }))
  const problems: string[] = []
  if (text.length >= 20_000) problems.push(`The model reads ${text.length} characters.`)
  if (log.some((line) => line.startsWith('pay'))) problems.push('It paid.')
  if (log.length > LIMITS.calls) problems.push(`It made ${log.length} calls.`)
  const isExpected = fails === undefined ? isEqual(text, returns) : fails.split('|').includes(reasonOf(text) ?? 'none')
  if (!isExpected) problems.push(`Unexpected end: ${text.slice(0, 300)}`)
  return problems
}

/** Only a program that hangs may reach its limit, even on a busy machine. One that fills the memory needs some time to do so. */
function timeFor(fails: string | undefined): number {
  if (!fails?.includes('time_limit')) return 300_000
  return fails.includes('memory_limit') ? 300 : 50
}

function isEqual(text: string, returns: unknown): boolean {
  return !text.startsWith('Error') && JSON.stringify(JSON.parse(text).result) === JSON.stringify(returns)
}
