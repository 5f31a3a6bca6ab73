/**
 * Tests that the contract notices each missing loss. Silences the losses that a wire format reports during the contract, one at a time.
 */
import { describe, expect, it } from 'vitest'
import { type TestWire, WIRES } from '../../test/testing/wires.ts'
import type { Loss } from '../shaping/loss.ts'
import { testWire as GEMINI } from '../wire/gemini/samples.ts'
import type { WireFormat } from '../wire/wire-format.ts'
import { wireContract } from './wire-contract.ts'

/** Identifies a loss regardless of the message in which it occurs. */
const kindOf = ({ path, keyword, action }: Loss) => `${path.replace(/\d+/g, 'N')} ${keyword} ${action}`

/** A model that accepts images next to a result instead of inside it. */
const OLDER_GEMINI: TestWire = {
  ...GEMINI,
  model: 'gemini-1.5-pro',
  samples: GEMINI.samples.map((sample) => ({ ...sample, sent: undefined })),
  lacks: [...(GEMINI.lacks ?? []), 'image_result'],
}

describe.each([...WIRES, OLDER_GEMINI])('losses of $wire.name, $model', (wire) => {
  it('are missed by a check when they are silenced', () => {
    expect(falseLosses(wire)).toEqual([])
  })
})

it('names a loss of text that the wire format sends, and an incorrect entry in `met`', () => {
  const loss: Loss = { path: '/messages/0/content', keyword: 'text', action: 'dropped' }
  const wire: WireFormat = {
    ...GEMINI.wire,
    encode(request, model, options) {
      options?.onLoss?.(loss)
      return GEMINI.wire.encode(request, model, options)
    },
  }
  expect(falseLosses({ ...GEMINI, wire, met: [...(GEMINI.met ?? []), '/toolChoice none dropped'] })).toEqual([
    expect.stringMatching(/^gemini reports a loss of "\/messages\/N\/content text dropped" that it sends: /),
    expect.stringMatching(/^`met` in gemini\/samples\.ts lists "\/toolChoice none dropped", /),
  ])
})

/** Returns the losses that no check misses and that `met` doesn't list, and the entries of `met` that are incorrect. */
function falseLosses({ wire, met = [], ...options }: TestWire): readonly string[] {
  const reported = new Set<string>()
  expect(failing(recording(wire, reported), options)).toEqual([])
  const unnoticed = [...reported].filter((kind) => failing(silencing(wire, kind), options).length === 0)
  return [
    ...unnoticed
      .filter((kind) => !met.includes(kind))
      .map(
        (kind) =>
          `${wire.name} reports a loss of "${kind}" that it sends: no check misses anything without the report. Report only what isn't in the body. If the API meets the request in another way, add the loss to \`met\` in ${wire.name}/samples.ts.`,
      ),
    ...met
      .filter((kind) => !unnoticed.includes(kind))
      .map(
        (kind) => `\`met\` in ${wire.name}/samples.ts lists "${kind}", which isn't reported or which a check misses. Remove it.`,
      ),
  ]
}

/** Returns the ids of the failing checks that concern losses. */
function failing(wire: WireFormat, options: Omit<TestWire, 'wire'>): readonly string[] {
  const checks = wireContract(wire, options).filter(({ id }) => !/^(?:stream|decode|round-trip|metadata|names|ids)/.test(id))
  return checks.flatMap(({ id, run }) => {
    try {
      run()
      return []
    } catch {
      return [id]
    }
  })
}

function recording(wire: WireFormat, reported: Set<string>): WireFormat {
  return withLosses(wire, (loss) => {
    reported.add(kindOf(loss))
    return true
  })
}

function silencing(wire: WireFormat, kind: string): WireFormat {
  return withLosses(wire, (loss) => kindOf(loss) !== kind)
}

function withLosses(wire: WireFormat, passes: (loss: Loss) => boolean): WireFormat {
  return {
    ...wire,
    encode: (request, model, options) =>
      wire.encode(request, model, {
        ...options,
        onLoss(loss) {
          if (passes(loss)) options?.onLoss?.(loss)
        },
      }),
  }
}
