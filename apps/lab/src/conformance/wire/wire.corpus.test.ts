/** Decodes recorded traffic of every API. The reading must be as expected, and the comparator must notice every change. */
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { describeCorpus } from '../../../test/conformance/corpus.ts'
import { wrongReplies } from '../../../test/conformance/mutants.ts'
import { corpusPath } from '../../corpora.ts'
import { WIRES } from '../../wires.ts'
import { readJsonFiles } from '../read-cases.ts'
import { CUTTINGS, FEW_CUTTINGS } from './cuttings.ts'
import { checkRawBody, type RawBody } from './raw-body.ts'
import { compareReply } from './wire-compare.ts'
import { readReply } from './wire-read.ts'
import { checkWireCase, readWireCases } from './wire-suite.ts'

const cuttings = process.env.X_FULL ? CUTTINGS : FEW_CUTTINGS
const bodies = readJsonFiles(join(corpusPath('wire'), 'raw')).map(({ json }) => json as RawBody)

for (const wire of WIRES) {
  const cases = readWireCases(corpusPath('wire')).filter(({ dialect }) => dialect === wire.name)
  describeCorpus(`${wire.name} on recorded traffic`, cases, () => {
    it.each(cases)('$id', async (wireCase) => expect((await checkWireCase(wireCase, [wire], cuttings)).faults).toEqual([]))

    it('reports an error in each expected value as a difference', () => {
      for (const { id, ...wireCase } of cases) {
        const response = readReply(wire, { id, ...wireCase })
        const unseen = [...wrongReplies(wireCase.expected)].filter(({ value }) => compareReply(response, value).length === 0)
        expect(
          unseen.map(({ path }) => path),
          id,
        ).toEqual([])
      }
    })
  })
}

describeCorpus('undecoded bodies', bodies, () => {
  it.each(bodies)('$id contains $events events for any chunk boundaries', async (body) =>
    expect((await checkRawBody(body, cuttings)).faults).toEqual([]),
  )
})
