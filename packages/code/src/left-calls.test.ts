/** Tests the note about a program that returned without the results of its calls, or without a value. */
import type { AgentError } from '@x/react-agent'
import { describe, expect, it } from 'vitest'
import { numberTool, openAgent, runCode, textOf } from '../test/agent.ts'

const world = (log: string[] = []) => [numberTool('get', { log }), numberTool('pay', { log, effect: 'write' })]
const noteOf = (text: string) => (JSON.parse(text) as { note?: string }).note

const NOTHING = 'The program returned nothing. End it with `return`.'
const left = (calls: string) =>
  `The program ended without the ${calls.startsWith('1 ') ? 'result' : 'results'} of ${calls}. Such calls still run, but their outcomes are not shown, and code that awaits them does not continue.`
const unrun =
  'The program ended without the result of 1 call (payy), which did not run: There is no tool "payy". Did you mean "pay"?'

describe.each([{ inline: false }, { inline: true }])('the note of a program with %o', (options) => {
  it.each([
    ['that awaits its calls', 'await Promise.all([tools.get({ value: 1 }), tools.pay({ value: 1 })]); return null', undefined, 2],
    ['that handles its errors', `return await tools.pay({ value: 'x' }).catch(({ code }) => code)`, undefined, 0],
    [
      'that handles an error later',
      `const failing = (async () => { throw new Error('no') })(); await tools.get({ value: 1 }); return await failing.catch(() => 1)`,
      undefined,
      1,
    ],
    ['without `return`', 'await tools.pay({ value: 1 })', NOTHING, 1],
    [
      'whose body calls a function that it does not await',
      'async function main() { for (const value of [1, 2, 3]) await tools.pay({ value }) }\nmain()',
      `${NOTHING} ${left('1 call (pay)')}`,
      1,
    ],
    [
      'with an async callback of forEach',
      `[1, 2].forEach(async (value) => { await tools.get({ value }); await tools.pay({ value }) }); return 'all paid'`,
      left('2 calls (get)'),
      2,
    ],
    [
      'with calls after the end',
      `const later = async () => { for (let n = 0; n < 20; n++) await null; await tools.pay({ value: 1 }) }; later(); later(); return 1`,
      '2 calls (pay) came after the end of the program and did not run.',
      0,
    ],
    [
      'with a failed call that nothing awaits',
      `tools.pay({ value: 'x' }); await tools.get({ value: 1 }); return 1`,
      expect.stringContaining('1 error was not handled: ToolError: Invalid arguments for "pay"'),
      1,
    ],
    [
      'with unknown tools that nothing awaits',
      `tools.payy({ value: 1 }); tools.other({ value: 1 }); return 1`,
      'The program ended without the results of 2 calls (payy, other), which did not run: There is no tool "payy". Did you mean "pay"?',
      0,
    ],
    ['that handles the error of an unknown tool', `tools.payy({ value: 1 }).catch(() => {}); return 1`, unrun, 0],
    [
      'with an unknown tool that loses a race',
      `try { return await Promise.race([1, tools.payy({ value: 1 })]) } catch { return 2 }`,
      unrun,
      0,
    ],
    [
      'with errors that nothing handles',
      `for (const n of [1, 2]) Promise.reject(new RangeError('no ' + n)); await null; return 1`,
      '2 errors were not handled: no 1',
      0,
    ],
    [
      'that left the loser of a race',
      `return await Promise.race([tools.get({ value: 1 }), new Promise((resolve) => { tools.get({ value: 2 }); resolve(1) })])`,
      left('2 calls (get)'),
      2,
    ],
  ])('%s', async (_, code, note, calls) => {
    const log: string[] = []
    expect(noteOf(await runCode(code, world(log), options))).toEqual(note)
    expect(log).toHaveLength(calls)
  })
})

it('the note of a program is bounded', async () => {
  const code = `
    const name = 'x'.repeat(1e5)
    for (let n = 0; n < 90; n++) { tools[n + name]({}); Promise.reject('y'.repeat(1e5)) }
    const later = async () => { for (let n = 0; n < 20; n++) await null; for (let n = 0; n < 1e4; n++) { tools['z' + n]({}); tools[name]({}) } }
    later()
    return 1`
  const note = noteOf(await runCode(code, [], { inline: true }))
  expect(note).toMatch(
    /^The program ended without the results of 90 calls \((?:\dx{99}, ){10}…\), which did not run: There is no tool "0x{99}"\. 20000 calls \(z0, z1, z2, z3, z4\) came after the end of the program and did not run\. 90 errors were not handled: y{500}$/,
  )
})

it.each([
  ['an object with a long JSON', `{ rows: ['\\u0001'.repeat(4e6)] }`, 'object'],
  ['an object whose `toJSON` does not end', '{ toJSON() { for (;;); } }', 'object'],
  ['an error with getters', `Object.defineProperty(new Error('x'), 'message', { get() { for (;;); } })`, 'Error'],
  ['a proxy', `new Proxy(new Error('x'), new Proxy({}, { get() { for (;;); } }))`, 'object'],
  ['an error whose prototype is a proxy', `Object.setPrototypeOf(new Error('x'), new Proxy({}, { get() { for (;;); } }))`, 'x'],
  ['an error with its own name', `Object.assign(new Error('x'), { name: 'NoStock' })`, 'NoStock: x'],
  ['a long text', `'y'.repeat(4e6)`, 'y'.repeat(500)],
  ['a long BigInt', '10n ** 100000n', 'bigint'],
  ['undefined', 'undefined', 'undefined'],
])('a rejection with %s does not change the result or the calls', async (_, reason, text) => {
  const log: string[] = []
  const code = `const reason = ${reason}; tools.pay({ value: 2 }); Promise.reject(reason); return 'done'`
  const limits = { memoryBytes: 24 * 1024 * 1024 }
  expect(JSON.parse(await runCode(code, world(log), { limits, inline: true }))).toEqual({
    result: 'done',
    note: `${left('1 call (pay)')} 1 error was not handled: ${text}`,
  })
  expect(log).toEqual(['pay 2'])
})

it('a program that replaces globals and throws values with traps changes only its own note', async () => {
  const code = `
    Map.prototype.set = Map.prototype.values = Map.prototype.delete = () => { throw 1 }
    Object.defineProperty(Map.prototype, 'size', { get() { throw 1 } })
    Object.getPrototypeOf(new Map().entries()).next = Error.isError = Object.hasOwn = () => { throw 1 }
    const error = Object.defineProperty(new Error('x'), 'message', { get() { throw 1 } })
    Object.defineProperty(Object.prototype, 'value', { get() { tools.pay({ value: 1 }); throw 1 } })
    Promise.reject(error)
    Promise.reject({ get message() { throw 1 }, toJSON() { tools.pay({ value: 1 }); throw { get message() { throw 2 } } } })
    return 1`
  const log: string[] = []
  expect(JSON.parse(await runCode(code, world(log), { inline: true }))).toEqual({
    result: 1,
    note: '2 errors were not handled: Error',
  })
  expect(log).toEqual([])
})

it('the note is the same when the program is resumed', async () => {
  const code = `tools.get({ value: 'x' }); await tools.pay({ value: 1 }); tools.pay({ value: 2 })`
  const tools = (log: string[]) => [numberTool('get', { log }), numberTool('pay', { log, effect: 'write', needsApproval: true })]
  const log: string[] = []
  const approved = await runCode(code, tools([]), {}, { approve: () => true })
  const agent = await openAgent(code, tools(log))
  let ended = await agent.run({ question: '?' }, { id: 'r' }).catch((error: unknown) => error)
  for (const id of ['c1.2', 'c1.3']) {
    const paused = JSON.parse(JSON.stringify((ended as AgentError).paused))
    ended = await agent.resume(paused, { [id]: true }).catch((error: unknown) => error)
  }
  expect(textOf(ended as never)).toBe(approved)
  expect(noteOf(approved)).toContain(`${NOTHING} ${left('1 call (pay)')} 1 error was not handled: ToolError: Invalid`)
  expect(log).toEqual(['pay 1', 'pay 2'])
})

it('the message about a promise that never settles has the first error that nothing handled', async () => {
  const code = (call: string) => `${call}; await new Promise(async (resolve) => { throw new Error('no stock') })`
  const text =
    'The program awaits a promise that never settles: no call is pending. There are no timers. Return a value, or await only tool calls. 1 error was not handled: no stock'
  expect(await runCode(code(''), world(), { inline: true })).toBe(`Error: ${text}`)
  expect(await runCode(code('await tools.pay({ value: 1 })'), world(), { inline: true })).toBe(
    `Error: ${text}. Calls that it had already made are not undone. Don't repeat those that change something.`,
  )
})
