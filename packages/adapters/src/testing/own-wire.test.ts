/** Tests the wire format in README.md against the contract. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { acmeWire, samples } from '../../test/testing/own-wire.ts'
import { wireContract } from './wire-contract.ts'

/** Features that no reply of this API has. */
const LACKS = ['reasoning', 'refusal', 'metadata', 'provider_calls', 'image_result'] as const

describe('the wire format of the README', () => {
  for (const { name, run } of wireContract(acmeWire, { model: 'acme-1', samples, lacks: LACKS })) it(name, run)

  it('is the same as the tested one', () => {
    const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')
    const [, tested = ''] = read('../../test/testing/own-wire.ts').split('// README\n')
    expect(tested).not.toBe('')
    expect(read('../wire/README.md').includes(tested)).toBe(true)
  })
})
