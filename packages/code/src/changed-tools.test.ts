/** Tests programs that are resumed by a process with other tools. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createFileEngine, type DurableRun, untilStopped } from '@x/durable'
import type { PausedRun } from '@x/react-agent'
import { lazy } from '@x/registry'
import { defineTool, deriveTool, type Tool } from '@x/tool-core'
import * as Type from 'typebox'
import { describe, expect, it, onTestFinished } from 'vitest'
import { numberTool, openAgent, textOf } from '../test/agent.ts'
import type { CodeToolOptions, CodeTools } from './index.ts'

const CODE = `
  const { value } = await tools.get({ value: 1 })
  const found = await tools.nothing({ value: 1 }).catch(({ code }) => code)
  return [await tools.pay({ value: value + 1 }), found]`
const DONE = '{"result":[{"value":2},"unknown_tool"]}'

const world = (log: string[]): [Tool, Tool] => [
  numberTool('get', { log }),
  numberTool('pay', { log, effect: 'write', needsApproval: true }),
]

async function pausedBy(code: string, tools: CodeTools, options?: CodeToolOptions): Promise<PausedRun> {
  const error = await (await openAgent(code, tools, options)).run({ question: '?' }, { id: 'r' }).catch((cause: unknown) => cause)
  return JSON.parse(JSON.stringify((error as { paused: PausedRun }).paused))
}

async function resumed(paused: PausedRun, code: string, tools: CodeTools, options?: CodeToolOptions): Promise<string> {
  const decisions = Object.fromEntries(paused.pending.map(({ callId }) => [callId, true]))
  return textOf(await (await openAgent(code, tools, options)).resume(paused, decisions))
}

/** A tool whose module can't be imported. */
const missing = (name: string) =>
  lazy(name, async (): Promise<Tool> => {
    throw new Error(`no module for ${name}`)
  })

/** The tool with one more argument. */
function changed(tool: Tool): Tool {
  const { name, description, effect, needsApproval, execute } = tool
  const args = Type.Object({ value: Type.Number(), unit: Type.Optional(Type.String()) })
  return defineTool({ name, description, effect, needsApproval, args, execute } as never) as unknown as Tool
}

describe('a program that is resumed', () => {
  it('gets the same refusals if the tools can be called by then', async () => {
    const log: string[] = []
    const code = `
      const { value } = await tools.get({ value: 1 })
      const codes = await Promise.all(['get_tax', 'get_fee', 'other'].map((name) => tools[name]({ value }).catch(({ code }) => code)))
      return [await tools.pay({ value: 2 }), codes, await tools.late({ value: 1 }).catch(({ message }) => message)]`
    const paused = await pausedBy(code, [...world(log), missing('get_fee')])
    const approving = numberTool('get_tax', { log, needsApproval: true })
    const tools = [...world(log), numberTool('get_fee', { log }), approving, numberTool('late', { log })]
    expect(await resumed(paused, code, tools)).toBe(
      '{"result":[{"value":2},["unknown_tool","tool_unavailable","unknown_tool"],{"value":1}]}',
    )
    expect(log).toEqual(['get 1', 'pay 2', 'late 1'])
  })

  it.each([
    ['an added tool', ([get, pay]: [Tool, Tool]) => [get, pay, numberTool('other')], {}],
    ['its tools in another order', ([get, pay]: [Tool, Tool]) => [pay, get], {}],
    ['a reworded description', ([get, pay]: [Tool, Tool]) => [get, deriveTool(pay, { description: 'Pays.' })], {}],
    ['another `allow` list', (tools: [Tool, Tool]) => tools, { allow: ['pay', 'g*'] }],
  ])('continues with %s', async (_, change, options: CodeToolOptions) => {
    const log: string[] = []
    const more = numberTool('unused', { log })
    const paused = await pausedBy(CODE, [...world(log), more])
    expect(await resumed(paused, CODE, change(world(log)), options)).toBe(DONE)
    expect(log).toEqual(['get 1', 'pay 2'])
  })

  it('continues if its record was written by a release that recorded the allowed names', async () => {
    const log: string[] = []
    const paused = await pausedBy(CODE, world(log))
    const records = paused.nested.c1 as Record<string, string>
    records['value-start'] = JSON.stringify({ ...JSON.parse(records['value-start'] as string), allowed: '0123' })
    expect(await resumed(paused, CODE, world(log))).toBe(DONE)
  })

  const GONE = "which it can't call any more. Its calls that wait for decisions were not made."
  const CHANGED = 'whose schema has changed since then. Its calls that wait for decisions were not made.'
  it.each([
    ['a tool that it called is gone', ([, pay]: [Tool, Tool]) => [pay], {}, `"get", ${GONE}`],
    ['a tool that it called is not allowed', (tools: [Tool, Tool]) => tools, { allow: ['pay'] }, `"get", ${GONE}`],
    ['the tool of a waiting call is gone', ([get]: [Tool, Tool]) => [get], {}, `"pay", ${GONE}`],
    [
      'the schema of a tool that it called has changed',
      ([get, pay]: [Tool, Tool]) => [changed(get), pay],
      {},
      `"get", ${CHANGED}`,
    ],
    ['the schema of a waiting call has changed', ([get, pay]: [Tool, Tool]) => [get, changed(pay)], {}, `"pay", ${CHANGED}`],
  ])('executes nothing and can be resumed by the earlier agent if %s', async (_, change, options: CodeToolOptions, words) => {
    // A program that catches all errors is refused too, and one that then makes no call at all.
    for (const code of [CODE, `try { ${CODE} } catch { return 'caught' }`]) {
      const log: string[] = []
      const paused = await pausedBy(code, world(log))
      await expect(resumed(paused, code, change(world(log)), options)).rejects.toMatchObject({
        code: 'agent_changed',
        message: `The call "c1" can't go on with this agent: its program made a call to ${words} Continue the run with the agent that began it.`,
      })
      expect(log).toEqual(['get 1'])
      expect(await resumed(paused, code, world(log))).toBe(DONE)
    }
  })

  it('rejects, and can be resumed again, if the tool of a call that it made could not be imported', async () => {
    const catching = `try { ${CODE} } catch { return 'caught' }`
    for (const [code, gone] of [CODE, catching].flatMap((text) => [[text, 'get'] as const, [text, 'pay'] as const])) {
      const log: string[] = []
      const paused = await pausedBy(code, world(log))
      const tools = world(log).map((tool) => (tool.name === gone ? missing(gone) : tool))
      await expect(resumed(paused, code, tools)).rejects.toMatchObject({
        code: 'steps_failed',
        cause: {
          message: `The tool "${gone}" of the recorded call "c1" could not be loaded. Resume the run again.`,
          cause: { message: expect.stringContaining(gone) },
        },
      })
      expect(log).toEqual(['get 1'])
      expect(await resumed(paused, code, world(log))).toBe(DONE)
    }
  })

  it('does not drop its waiting call if its tool is gone', async () => {
    const log: string[] = []
    const code = `try { return await tools.pay({ value: 1 }) } catch { return 'caught' }`
    const paused = await pausedBy(code, world(log))
    const [get] = world(log)
    await expect(resumed(paused, code, [get])).rejects.toMatchObject({ code: 'agent_changed' })
    expect(log).toEqual([])
  })

  it.each([
    ['codeLength', 10],
    ['calls', 2],
    ['timeMs', 1],
    ['memoryBytes', 2 * 1024 * 1024],
  ] as const)('executes nothing and can be resumed with the earlier limits if `limits.%s` was lowered', async (name, value) => {
    const log: string[] = []
    const code = `
      const { value } = await tools.get({ value: 1 })
      const all = Array.from({ length: 3e5 }, (_, n) => n + value)
      await tools.get({ value: all.length })
      return await tools.pay({ value: 2 })`
    const paused = await pausedBy(code, world(log))
    await expect(resumed(paused, code, world(log), { limits: { [name]: value } })).rejects.toMatchObject({
      code: 'agent_changed',
      message: expect.stringMatching(
        new RegExp(`its program exceeded \`limits.${name}\` before it made the call "(get|pay)" again`),
      ),
    })
    expect(log).toEqual(['get 1', 'get 300000'])
    expect(await resumed(paused, code, world(log))).toBe('{"result":{"value":2}}')
    expect(log).toEqual(['get 1', 'get 300000', 'pay 2'])
  })

  it('ends at a lowered limit after all of its calls', async () => {
    const log: string[] = []
    const code = `await tools.pay({ value: 1 }); return 'x'.repeat(100)`
    const paused = await pausedBy(code, world(log))
    expect(await resumed(paused, code, world(log), { limits: { outputLength: 50 } })).toContain('The limit is 50.')
    expect(log).toEqual(['pay 1'])
  })
})

it('an engine holds the run of a program whose tool has changed, and the earlier agent continues it with its decision', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'code-changed-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const log: string[] = []
  const open = async (tools: CodeTools) => {
    const agent = await openAgent(CODE, tools)
    const fn = async (input: { question: string }, run: DurableRun) => textOf(await agent.run(input, run))
    return await createFileEngine({ folder, fn, fsync: false })
  }
  const [get, pay] = world(log)
  const first = await open([get, pay])
  await first.start('r', { question: '?' })
  const { waitsFor } = await untilStopped(first, 'r')
  await first.signal('r', waitsFor[0]?.name as string, true)
  await first.close()
  for (const tools of [[changed(get), pay], [get, changed(pay)], [get]]) {
    const later = await open(tools)
    expect(await later.retry('r').then(() => untilStopped(later, 'r'))).toMatchObject({
      state: 'held',
      failure: { code: 'agent_changed', message: expect.stringContaining('its program made a call to') },
    })
    await later.close()
  }
  expect(log).toEqual(['get 1'])
  const last = await open([numberTool('other'), pay, get])
  await last.retry('r')
  expect(await untilStopped(last, 'r')).toMatchObject({ state: 'finished', output: DONE })
  await last.close()
  expect(log).toEqual(['get 1', 'pay 2'])
})
