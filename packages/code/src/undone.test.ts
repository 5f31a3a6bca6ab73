/** Tests when a failed program reports that its calls are not undone. */
import { defineAction, defineTool, parallel, type Tool, ToolError, type ToolErrorCode } from '@x/tool-core'
import * as Type from 'typebox'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { numberTool, runCode } from '../test/agent.ts'

const inline = { inline: true }
const add = numberTool('add', { effect: 'write' })

/** Makes each reading of the clock take a millisecond. With the real clock, a busy machine could use up the time before the first call. */
function countClockReadings(): void {
  let now = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now++)
  onTestFinished(() => clock.mockRestore())
}

describe('a program that fails', () => {
  const limits = { outputLength: 10, memoryBytes: 4 * 1024 * 1024 }

  it.each([
    ['throws', "throw new Error('No.')", 'The program failed in line 2: Error: No.'],
    ['throws a question', "throw new Error('Is it?')", 'The program failed in line 2: Error: Is it?'],
    ['never ends', 'await new Promise(() => {})', 'The program awaits a promise that never settles'],
    ['runs out of time', 'for (;;) {}', 'it computed for longer than 500 ms', { timeMs: 500 }],
    [
      'runs out of memory',
      "const all = []; for (;;) all.push('x'.repeat(1e5) + all.length)",
      'it used more than 4 MiB of memory',
    ],
    ['returns too much', "return 'x'.repeat(100)", 'The result has 102 characters. The limit is 10.'],
    ['makes too many calls', 'await tools.get({ value: 1 }); await tools.get({ value: 2 })', /it made more than [12] calls/],
  ])(
    'because it %s reports the calls that are not undone after a write',
    async (_, end, reason, more: { timeMs?: number } = {}) => {
      if (more.timeMs !== undefined) countClockReadings()
      const run = (first: string, calls: number) =>
        runCode(`${first}\n${end}`, [add, numberTool('get')], { ...inline, limits: { ...limits, ...more, calls } })
      const changed = await run('await tools.add({ value: 1 })', 2)
      expect(changed).toMatch(reason)
      expect(changed).toMatch(
        /[^.][.!?] Calls that it had already made are not undone\. Don't repeat those that change something\.$/,
      )
      const unchanged = await run('', 1)
      expect(unchanged).toMatch(reason)
      expect(unchanged).not.toContain('not undone')
    },
  )

  it.each([
    ['reads', "await tools.get({ value: 1 }); throw new Error('no')"],
    ['was refused', "await tools.add({ value: 'x' })"],
    ['was rejected', 'await tools.pay({ value: 1 })'],
  ])('after a call that only %s does not report calls', async (_, code) => {
    const tools = [numberTool('get'), add, numberTool('pay', { effect: 'write', needsApproval: true })]
    const text = await runCode(code, tools, inline, { approve: () => false })
    expect(text).toContain('The program failed')
    expect(text).not.toContain('not undone')
  })

  it.each([
    ['has a step that refuses its arguments', withStep, { value: 1, text: 2 }],
    ['throws `invalid_arguments` itself', throwing('invalid_arguments'), { value: 1 }],
    ['throws `invalid_context` itself', throwing('invalid_context'), { value: 1 }],
    ['throws `invalid_arguments`, although a hook had repaired them', withHook, { value: '1 piece' }],
    ['throws `invalid_arguments`, which its validator refuses only now', withValidator, { value: 1 }],
  ])('after a call that writes and %s reports that it is not undone', async (_, define, args) => {
    const written: unknown[] = []
    const code = `
      const { code } = await tools.write(${JSON.stringify(args)}).catch((error) => error)
      throw new Error('Failed with ' + code + '.')`
    expect(await runCode(code, [define(written)], inline)).toMatch(
      /Failed with invalid_(arguments|context)\. Calls that it had already made are not undone\./,
    )
    expect(written).toEqual([1])
  })
})

const VALUE = Type.Object({ value: Type.Number() })
const parts = { name: 'write', description: 'Writes.', effect: 'write' } as const

type Define = (written: unknown[]) => Tool

function writing(written: unknown[], code: ToolErrorCode) {
  return ({ value }: { readonly value: number }): never => {
    written.push(value)
    throw new ToolError(code, 'No.')
  }
}

function throwing(code: ToolErrorCode): Define {
  return (written) => defineTool({ ...parts, args: VALUE, execute: writing(written, code) }) as unknown as Tool
}

/** Because one step has the hook, the steps validate their arguments themselves. */
function withStep(written: unknown[]): Tool {
  const output = Type.Object({})
  const add = defineAction({ ...parts, args: VALUE, output, execute: ({ value }) => ({ length: written.push(value) }) })
  const hooks = { beforeValidate: (args: object) => args }
  const tell = defineAction({ ...parts, args: Type.Object({ text: Type.String() }), output, hooks, execute: () => ({}) })
  return parallel('write', { add, tell }) as unknown as Tool
}

function withHook(written: unknown[]): Tool {
  const hooks = { beforeValidate: () => ({ value: 1 }) }
  const execute = writing(written, 'invalid_arguments')
  return defineAction({ ...parts, args: VALUE, output: Type.Object({}), hooks, execute }) as unknown as Tool
}

function withValidator(written: unknown[]): Tool {
  const validate = (value: unknown) => (written.length === 0 ? { value } : { issues: [{ message: 'Written already.' }] })
  const args = { '~standard': { version: 1, vendor: 'own', validate, jsonSchema: { input: () => VALUE, output: () => VALUE } } }
  return defineTool({ ...parts, args: args as never, execute: writing(written, 'invalid_arguments') }) as unknown as Tool
}
