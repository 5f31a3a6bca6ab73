/** Runs the dialect contract on the leaderboard's formats. */
import { dialectContract } from '@x/adapters/testing'
import { describe, it } from 'vitest'
import { bfclJsonXml } from './bfcl-json-xml.ts'
import { bfclPython } from './bfcl-python.ts'

const runs = process.env.X_FULL ? 1_000 : 20

describe.each([bfclJsonXml, bfclPython])('$name', (dialect) => {
  it.each(dialectContract(dialect, { runs }))('$name', ({ run }) => run())
})
