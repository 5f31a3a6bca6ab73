/** A loss that a wire format keeps to itself is noticed: each one that the contract makes it report is silenced, one at a time. */
import { describe, expect, it } from 'vitest'
import { type TestWire, WIRES } from '../../test/testing/wires.ts'
import type { Loss } from '../shaping/loss.ts'
import { testWire as GEMINI } from '../wire/gemini/samples.ts'
import type { WireFormat } from '../wire/wire-format.ts'
import { wireContract } from './wire-contract.ts'

/** By what they mean, apart from where they stand. */
const kindOf = ({ path, keyword, action }: Loss) => `${path.replace(/\d+/g, 'N')} ${keyword} ${action}`

const OLDER_GEMINI: TestWire = { ...GEMINI, model: 'gemini-1.5-pro' }

describe.each([...WIRES, OLDER_GEMINI])('losses of $wire.name, $model', ({ wire, met = [], ...options }) => {
  it('are noticed when they are silenced, each of them', () => {
    const reported = new Set<string>()
    expect(failing(recording(wire, reported), options)).toEqual([])
    const unnoticed = [...reported].filter((kind) => failing(silencing(wire, kind), options).length === 0)
    expect(unnoticed.sort()).toEqual([...met].sort())
  })
})

/** The checks that have something to say about losses. */
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
