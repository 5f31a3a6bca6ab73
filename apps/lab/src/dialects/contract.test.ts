/** The leaderboard's forms follow the contract of dialects. */
import { dialectContract } from '@x/adapters/testing'
import { describe, it } from 'vitest'
import { bfclJsonXml } from './bfcl-json-xml.ts'
import { bfclPython } from './bfcl-python.ts'

describe.each([bfclJsonXml, bfclPython])('$name', (dialect) => {
  it.each(dialectContract(dialect))('$name', ({ run }) => run())
})
