/** A page that runs programs and sends what became of them to the server of the test. Bundled for the browser. */
import { AgentError } from '@x/react-agent'
import { numberTool, openAgent, resultOf, runCode, textOf } from '../agent.ts'
import { HOSTILE } from '../hostile.ts'
import { problemsOf } from '../play-hostile.ts'

/** Relative to the page, and not to the worker. */
const wasm = './quickjs.wasm'
const LOOK = numberTool('look')
const PAY = numberTool('pay', { effect: 'write', needsApproval: true })
const SUM = `const all = await Promise.all([1, 2, 3].map((value) => tools.look({ value })))
return all.reduce((sum, { value }) => sum + value, 0)`

const CHECKS: Readonly<Record<string, () => Promise<unknown>>> = {
  // These come first, because a file that is loaded once stays.
  'without wasm': () => runCode(`return 1`),
  'wrong wasm': () => runCode(`return 1`, [], { wasm: '/nowhere.wasm' }),
  /** The server answers with a page. */
  'no wasm': () => runCode(`return 1`, [], { wasm: '/' }),
  calls: () => resultOf(SUM, [LOOK], { wasm }),
  inline: () => resultOf(SUM, [LOOK], { wasm, inline: true }),
  types: () =>
    resultOf(`const { value }: { value: number } = await tools.look({ value: 4 }); return value as number`, [LOOK], { wasm }),
  error: () => resultOf(`return await tools.look({ value: 'x' }).catch(({ code }) => code)`, [LOOK], { wasm }),
  globals: () =>
    resultOf(`return ['fetch', 'postMessage', 'self', 'navigator'].filter((name) => name in globalThis)`, [], { wasm }),
  /** A built-in function that never asks whether its time is over. */
  hang: () => runCode(`Array.prototype.reverse.call({ length: 2 ** 53 - 1 })`, [], { wasm, limits: { timeMs: 200 } }),
  'after a hang': () => resultOf(SUM, [LOOK], { wasm }),
  recursion: () => resultOf(`const f = () => f() + 1; try { f() } catch { return 'caught' }`, [], { wasm }),
  memory: () =>
    runCode(`const kept = []; for (;;) kept.push(new Uint8Array(1e6))`, [], { wasm, limits: { memoryBytes: 32 * 1024 * 1024 } }),
  pause: async () => {
    const agent = await openAgent(`return await tools.pay({ value: (await tools.look({ value: 5 })).value })`, [LOOK, PAY], {
      wasm,
    })
    try {
      return textOf(await agent.run({ question: '?' }, { id: 'r' }))
    } catch (error) {
      if (!(error instanceof AgentError) || error.paused === undefined) throw error
      const { pending } = error.paused
      const result = await agent.resume(error.paused, Object.fromEntries(pending.map(({ callId }) => [callId, true])))
      return { pending: pending.map(({ name, args }) => ({ name, args })), result: JSON.parse(textOf(result)).result }
    }
  },
}

const results: Record<string, unknown> = {}
for (const [name, check] of Object.entries(CHECKS))
  results[name] = await check().catch((error) => `It threw: ${error.stack ?? error}`)
const { location } = globalThis as unknown as { readonly location: { readonly search: string } }
const isFull = location.search === '?full'
for (const [index, hostile] of HOSTILE.entries())
  if (isFull || index % 8 === 0)
    results[`hostile: ${hostile.name}`] = await problemsOf(hostile, { wasm }).catch(
      (error) => `It threw: ${error.stack ?? error}`,
    )
await fetch('/results', { method: 'POST', body: JSON.stringify(results) })
