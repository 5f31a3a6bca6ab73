/** The wire formats of this package, each with the `samples.ts` of its folder. */
import type { WireContractOptions } from '../../src/testing/wire-check.ts'
import * as exported from '../../src/wire/index.ts'
import type { WireFormat } from '../../src/wire/wire-format.ts'

export type TestWire = WireContractOptions & {
  readonly wire: WireFormat
  /** Losses that no check misses: the wish is met in another way, or nothing is left that the model could miss. */
  readonly met?: readonly string[]
  /** What docs/providers.md says of it that no request shows. */
  readonly documented: {
    /** Ids of calls that the API takes. */
    readonly callIds: string
    /** What `strictTools` is for. */
    readonly strictTools: string
    /** What goes back of a turn, beside text and calls. */
    readonly goesBack: string
  }
}

export const WIRES: readonly TestWire[] = await Promise.all(
  (Object.values(exported) as readonly unknown[]).filter(isWire).map(toTestWire),
)

function isWire(value: unknown): value is WireFormat {
  return typeof value === 'object' && value !== null && 'encode' in value && 'decode' in value
}

/** Its folder has its name. */
async function toTestWire({ name }: WireFormat): Promise<TestWire> {
  const { testWire } = (await import(`../../src/wire/${name}/samples.ts`)) as { readonly testWire: TestWire }
  return testWire
}
