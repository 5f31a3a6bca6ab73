import { describe, expect, it } from 'vitest'
import { createDbosEngine } from '../dbos/index.ts'
import { createFileEngine } from '../index.ts'
import { createRestateEngine } from '../restate/index.ts'

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
