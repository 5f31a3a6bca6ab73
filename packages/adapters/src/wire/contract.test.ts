/** Runs the contract tests for each of our wire formats. */
import { describe, it } from 'vitest'
import { WIRES } from '../../test/testing/wires.ts'
import { wireContract } from '../testing/wire-contract.ts'

for (const { wire, ...options } of WIRES) {
  describe(wire.name, () => {
    const others = WIRES.filter((other) => other.wire !== wire)
    for (const { name, run } of wireContract(wire, { ...options, others })) it(name, run)
  })
}
