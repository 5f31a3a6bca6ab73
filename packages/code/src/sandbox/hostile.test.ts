/** Runs hostile programs in a worker. Each of them must end as a bounded error, and have no effect. */
import { describe, expect, it } from 'vitest'
import { HOSTILE } from '../../test/hostile.ts'
import { problemsOf } from '../../test/play-hostile.ts'

describe('a hostile program', () => {
  it.each(HOSTILE)('$name', async (hostile) => {
    expect(await problemsOf(hostile)).toEqual([])
  })
})
