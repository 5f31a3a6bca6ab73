/** Compares the path of a real call with the list in CONTRIBUTING.md. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { traceCall } from '../../test/trace-call.ts'

const { path, lookups } = await traceCall()

it('passes the ten functions listed in CONTRIBUTING.md in order', () => {
  const page = readFileSync(new URL('../../../../CONTRIBUTING.md', import.meta.url), 'utf8')
  const stations = [...page.matchAll(/^\d+\. `packages\/([\w-]+)\/src\/([\w/.-]+)`: `([\w.#]+)`/gm)].map(
    ([, owner, file, name]) => `${owner}/${file}:${name}`,
  )
  expect(stations).toHaveLength(10)
  const passed = path.map((frame) => frame.replace(':Object.', ':').replace(/:(\w+)\.(#?\w+)$/, ':$2'))
  expect(passed.filter((frame) => stations.includes(frame))).toEqual(stations)
})

it('looks up its tool once', () => {
  expect(lookups).toHaveLength(1)
  expect(lookups[0]).toContain('react-agent/loop/turn.ts')
})
