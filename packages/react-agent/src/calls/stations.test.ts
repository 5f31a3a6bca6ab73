/** The way of one call, as CONTRIBUTING.md lists it, is the way that a real call goes. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { traceCall } from '../../test/trace-call.ts'

const { path, lookups } = await traceCall()

it('passes the ten stations of CONTRIBUTING.md in their order', () => {
  const page = readFileSync(new URL('../../../../CONTRIBUTING.md', import.meta.url), 'utf8')
  const stations = [...page.matchAll(/^\d+\. `packages\/([\w-]+)\/src\/([\w/.-]+)`: `([\w.#]+)`/gm)].map(
    ([, owner, file, name]) => `${owner}/${file}:${name}`,
  )
  expect(stations).toHaveLength(10)
  const passed = path.map((frame) => frame.replace(':Object.', ':').replace(/:(\w+)\.(#?\w+)$/, ':$2'))
  expect(passed.filter((frame) => stations.includes(frame))).toEqual(stations)
})

it('looks its tool up once', () => {
  expect(lookups).toHaveLength(1)
  expect(lookups[0]).toContain('react-agent/loop/turn.ts')
})
