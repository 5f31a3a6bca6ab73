/** Compares the path of a real call with the list in CONTRIBUTING.md. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { traceCall, traceResume } from '../../test/trace-call.ts'

const { path, stacks, lookups } = await traceCall()
const page = readFileSync(new URL('../../../../CONTRIBUTING.md', import.meta.url), 'utf8')

it('passes the ten stations listed in CONTRIBUTING.md in order', () => {
  const stations = [...page.matchAll(/^\d+\. `packages\/([\w-]+)\/src\/([\w/.-]+)`: `([\w.#]+)`/gm)].map(
    ([, owner, file, name]) => `${owner}/${file}:${name}`,
  )
  expect(stations).toHaveLength(10)
  const passed = path.map((frame) => frame.replace(':Object.', ':').replace(/:(\w+)\.(#?\w+)$/, ':$2'))
  expect(passed.filter((frame) => stations.includes(frame))).toEqual(stations)
})

it('passes as many files as CONTRIBUTING.md says', () => {
  const [, count] = /in (\d+) files/.exec(page) ?? []
  const start = path.findIndex((frame) => frame.endsWith(':readTurn'))
  const files = new Set(path.slice(start).map((frame) => frame.split(':')[0]))
  expect([...files]).toHaveLength(Number(count))
})

it('never returns to a package that called another one', () => {
  const crossings = stacks.map((stack) => {
    const packages = stack.map((frame) => frame.split('/')[0])
    return packages.filter((name, index) => name !== packages[index - 1])
  })
  expect(crossings).toContainEqual(['react-agent', 'tool-core'])
  expect(crossings.filter((packages) => new Set(packages).size < packages.length)).toEqual([])
})

it('looks up its tool once', () => {
  expect(lookups).toEqual(['react-agent/loop/turn.ts:toolOf'])
})

it('looks up the tools of a resumed run for the checks of its earlier and its pending calls, then once', async () => {
  expect(await traceResume()).toEqual([
    'react-agent/calls/call-guards.ts:CallGuards.restore',
    'react-agent/approval/pause.ts:assertPending',
    'react-agent/loop/turn.ts:toolOf',
  ])
})
