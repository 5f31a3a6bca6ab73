/** Tests that an engine leaves a run whose program its process can't load. */
import { expect, it } from 'vitest'
import type { DurableEngine, RunFunction } from '../src/engine/engine.ts'
import type { DurableError } from '../src/errors.ts'

type Open = (
  fn: RunFunction<null, string>,
  options: { onProblem(problem: DurableError): void },
) => Promise<DurableEngine<null, string>>

export function itLeavesRuns(open: Open): void {
  it('reports a run whose program could not be loaded, and continues it once the program can be loaded', async () => {
    const problems: DurableError[] = []
    let isFull = true
    const fn = async () => {
      const message = "EMFILE: too many open files, open '/app/tools.js'"
      if (isFull) throw Object.assign(new Error(message), { code: 'EMFILE', path: '/app/tools.js' })
      return 'done'
    }
    await using engine = await open(fn, { onProblem: (problem) => problems.push(problem) })
    await engine.start('left', null)
    await expect.poll(() => problems.length).toBeGreaterThan(0)
    const message = expect.stringMatching(/^The run "left" needs a module .*EMFILE.*tools\.js.*restart the worker/)
    expect(problems[0]).toMatchObject({ code: 'cannot_load', message })
    expect((await engine.status('left'))?.state).toMatch(/^(queued|running)$/)
    isFull = false
    expect(await engine.result('left')).toBe('done')
  })
}
