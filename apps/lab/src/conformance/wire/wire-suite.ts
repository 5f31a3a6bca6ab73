/** The `wire` suite: providers' recorded replies and streams, decoded by our wire formats. */
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { LMResponse } from '@x/adapters'
import type { WireFormat } from '@x/adapters/wire'
import { assertCase, readFolders, readJsonFiles } from '../read-cases.ts'
import { noCase, type Suite, type SuiteResult } from '../suite.ts'
import { countAll, failuresOf, mapGroups, type Verdict } from '../verdict.ts'
import { CUTTINGS, cutBytes } from './cuttings.ts'
import { readEvents, toBytes } from './framed-events.ts'
import { checkRawBody, type RawBody, type RawVerdict } from './raw-body.ts'
import type { WireCase } from './wire-case.ts'
import { compareReply } from './wire-compare.ts'
import { readReply, readStream } from './wire-read.ts'

export function defineWireSuite(wires: readonly WireFormat[]): Suite {
  return {
    name: 'wire',
    folder: 'wire',
    async run(corpus) {
      const cases = readWireCases(corpus)
      const bodies = readJsonFiles(join(corpus, 'raw')).map(({ json, path }) =>
        assertCase<RawBody>(json, ['framing', 'events'], path),
      )
      if (cases.length + bodies.length === 0) throw noCase('wire', join(corpus, 'cases/*/*.json'))
      const verdicts: WireVerdict[] = []
      for (const wireCase of cases) verdicts.push(await checkWireCase(wireCase, wires))
      const raw: RawVerdict[] = []
      for (const body of bodies) raw.push(await checkRawBody(body))
      return summarize(verdicts, raw)
    },
  }
}

export interface WireVerdict extends Verdict {
  /** True if the response depends on where the stream's bytes are split. */
  readonly rechunkingFailed: boolean
}

export function readWireCases(corpus: string): readonly WireCase[] {
  const files = readFolders(join(corpus, 'cases')).flatMap(readJsonFiles)
  return files.map(({ json, path }) => assertCase<WireCase>(json, ['dialect', 'expected'], path))
}

export async function checkWireCase(wireCase: WireCase, wires: readonly WireFormat[], cuttings = CUTTINGS): Promise<WireVerdict> {
  const { id, dialect: group, chunks } = wireCase
  const wire = wires.find(({ name }) => name === group)
  if (wire === undefined) return { id, group, outcome: 'skipped', faults: [], rechunkingFailed: false }
  try {
    const response = readReply(wire, wireCase)
    const rechunking = chunks === undefined ? [] : await checkCuttings(wire, chunks, response, cuttings)
    const faults = [...compareReply(response, wireCase.expected), ...rechunking]
    return { id, group, outcome: faults.length === 0 ? 'passed' : 'failed', faults, rechunkingFailed: rechunking.length > 0 }
  } catch (error) {
    return { id, group, outcome: 'failed', faults: [`threw ${error}`], rechunkingFailed: false }
  }
}

/** Checks that the response doesn't depend on chunk boundaries. */
async function checkCuttings(
  wire: WireFormat,
  chunks: readonly unknown[],
  response: LMResponse,
  cuttings: number,
): Promise<readonly string[]> {
  const bytes = toBytes(chunks, wire.framing)
  for (let cutting = 0; cutting < cuttings; cutting++) {
    const recut = readStream(wire, await readEvents(cutBytes(bytes, cutting), wire.framing))
    if (!isDeepStrictEqual(recut, response))
      return [`rechunking: splitting the bytes differently (cutting ${cutting}) changes the response`]
  }
  return []
}

function summarize(verdicts: readonly WireVerdict[], raw: readonly RawVerdict[]): SuiteResult {
  const all = [...verdicts, ...raw]
  const rechunking = (of: readonly WireVerdict[]) => of.filter(({ rechunkingFailed }) => rechunkingFailed).length
  const wires = mapGroups(verdicts, (of) => ({ ...countAll(of), rechunking_failures: rechunking(of) }))
  const events = Object.fromEntries(raw.filter(({ outcome }) => outcome !== 'skipped').map(({ id, counted }) => [id, counted]))
  return {
    ...countAll(all),
    metrics: { wires, rechunking_failures: rechunking(verdicts), ...(raw.length > 0 && { raw: { ...countAll(raw), events } }) },
    failures: failuresOf(all),
    rows: [
      ...Object.entries(wires)
        .filter(([, { passed, failed }]) => passed + failed > 0)
        .map(([wire, counts]) => ({ wire, ...counts })),
      ...(raw.length > 0 ? [{ wire: 'raw bodies', ...countAll(raw) }] : []),
    ],
  }
}
