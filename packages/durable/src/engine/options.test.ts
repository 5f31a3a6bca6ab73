import { describe, expect, it } from 'vitest'
import { createDbosEngine } from '../dbos/index.ts'
import { createFileEngine } from '../index.ts'
import { createRestateEngine } from '../restate/index.ts'

describe('an engine without options', () => {
  it.each([
    [createFileEngine, 'createFileEngine: "folder" is wrong. Give the path of a folder'],
    [createDbosEngine, 'createDbosEngine: "name" is wrong. Give 1 to 100 letters'],
    [createRestateEngine, 'createRestateEngine: "name" is wrong. Give a letter'],
  ])('is refused, and says what to give: %o', async (create, message) => {
    for (const options of [undefined, null, 'runs'])
      await expect((create as (given: unknown) => Promise<unknown>)(options)).rejects.toThrow(message)
  })
})
