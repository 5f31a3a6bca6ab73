import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { keptPlace, newPlace, runsFolder } from './places.ts'
import { describePlace } from './sql/place.ts'

const environment = { DATABASE_URL: 'postgres://ada:secret@localhost:5432/demo' }

describe('the database', () => {
  it('is a persistent file, or the given one', () => {
    expect(keptPlace(undefined, {})).toEqual({ kind: 'sqlite', file: expect.stringMatching(/demo[\\/]\.data[\\/]demo\.sqlite$/) })
    expect(keptPlace('a.sqlite', environment)).toEqual({ kind: 'sqlite', file: 'a.sqlite' })
  })

  it('is in memory for measurements', () => {
    expect(newPlace({})).toEqual({ kind: 'sqlite', file: ':memory:' })
  })

  it('is on PostgreSQL with DATABASE_URL: persistent, or new and temporary', () => {
    const url = environment.DATABASE_URL
    expect(keptPlace(undefined, environment)).toEqual({ kind: 'postgres', url, schema: 'x_demo', isTemporary: false })
    const [first, second] = [newPlace(environment), newPlace(environment)]
    expect(first).toMatchObject({ kind: 'postgres', isTemporary: true, schema: expect.stringMatching(/^x_demo_[0-9a-f]{12}$/) })
    expect(first).not.toEqual(second)
  })

  it('is refused with the fix when DATABASE_URL is invalid', () => {
    for (const DATABASE_URL of ['mysql://localhost/demo', 'postgres:demo', 'postgres://a:b:c'])
      expect(() => newPlace({ DATABASE_URL })).toThrow(/^DATABASE_URL must be the URL of a PostgreSQL database, e\.g\. postgres:/)
  })

  it('is named without its password', () => {
    expect(describePlace(keptPlace(undefined, environment))).toBe('postgres://localhost:5432/demo, schema x_demo')
  })
})

describe('the folder of durable runs', () => {
  it('is beside the database file, unless it is configured', () => {
    expect(runsFolder(undefined, environment)).toMatch(/demo[\\/]\.data[\\/]runs$/)
    expect(runsFolder('shop/a.sqlite', {})).toBe(join('shop', 'runs'))
    expect(runsFolder('shop/a.sqlite', { X_RUNS: 'elsewhere' })).toBe('elsewhere')
  })

  it('is refused for a database in memory', () => {
    expect(() => runsFolder(':memory:', {})).toThrow('A durable run needs a database that persists')
  })
})
