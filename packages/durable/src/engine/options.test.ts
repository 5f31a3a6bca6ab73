import { describe, expect, it } from 'vitest'
import { createDbosEngine } from '../dbos/index.ts'
import { createFileEngine } from '../index.ts'
import { createRestateEngine } from '../restate/index.ts'
import { checkListOptions } from './options.ts'

describe('an engine without options', () => {
  it.each([
    [createFileEngine, 'createFileEngine: the option "folder" is invalid, got undefined. It must be a folder path'],
    [createDbosEngine, 'createDbosEngine: the option "name" is invalid, got undefined. It must have 1 to 100 characters'],
    [createRestateEngine, 'createRestateEngine: the option "name" is invalid, got undefined. It must be a letter'],
  ])('is refused with the fix: %o', async (create, message) => {
    for (const options of [undefined, null, 'runs'])
      await expect((create as (given: unknown) => Promise<unknown>)(options)).rejects.toThrow(message)
  })
})

it.each([
  ['createFileEngine', () => createFileEngine({ folder: 'runs', ...RATE })],
  ['createRestateEngine', () => createRestateEngine({ name: 'runs', ...RATE })],
])('%s refuses a rate limit, which it would otherwise ignore', async (name, create) => {
  const message = `${name}: the option "rateLimit" is invalid, got a value of type object. This engine has no rate limit.`
  await expect(create()).rejects.toMatchObject({ code: 'invalid_options', message: expect.stringContaining(message) })
})

const RATE = { rateLimit: { runs: 1, everyMs: 1000 } }

it.each([Number.NaN, -1, 1e19, Number.POSITIVE_INFINITY, '1'])('a retention time of %s is refused', async (retentionMs) => {
  const creating = createFileEngine({ folder: 'runs', retentionMs: retentionMs as number })
  await expect(creating).rejects.toMatchObject({ code: 'invalid_options', message: expect.stringContaining('"retentionMs"') })
})

it.each([{ version: '1' }, { crashing: true }])('an engine that can not list runs by %o refuses that', (options) => {
  const message = `list: the option "${Object.keys(options)}" is invalid`
  expect(() => checkListOptions(options)).toThrow(message)
  expect(checkListOptions(options, true)).toMatchObject(options)
})

it.each([{ waitsFor: 5 }, { version: 1 }, { crashing: 'yes' }, { startedFrom: new Date() }, { startedBefore: 'yesterday' }])(
  'a condition of another type is refused: %o',
  (options) => {
    const message = `list: the option "${Object.keys(options)}" is invalid`
    expect(() => checkListOptions(options as never, true)).toThrow(message)
  },
)

it.each([
  new Date(),
  new Map([['state', 'failed']]),
  new Set(),
  /a/,
  new Error('failed'),
  Promise.resolve(),
  Object.create({ state: 'failed' }),
  [],
  null,
  'failed',
])('anything but a plain object is refused: %o', (options) => {
  expect(() => checkListOptions(options as never)).toThrow('list: pass the conditions as an object')
})
