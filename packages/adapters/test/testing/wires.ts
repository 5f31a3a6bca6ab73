/** The wire formats of this package, each with the `samples.ts` of its folder. */
import type { WireContractOptions } from '../../src/testing/wire-check.ts'
import * as exported from '../../src/wire/index.ts'
import type { WireFormat } from '../../src/wire/wire-format.ts'

export type TestWire = WireContractOptions & {
  readonly wire: WireFormat
  /** Losses whose absence no check notices: the API supports the feature in another form, or the model doesn't need the information. */
  readonly met?: readonly string[]
  /** Facts in docs/providers.md that can't be seen in a request. */
  readonly documented: {
    /** Call ids that the API accepts. */
    readonly callIds: string
    /** What the API uses `strictTools` for. */
    readonly strictTools: string
    /** The parts of a turn that are sent back in addition to text and calls. */
    readonly goesBack: string
  }
}

export const WIRES: readonly TestWire[] = await Promise.all(
  (Object.values(exported) as readonly unknown[]).filter(isWire).map(toTestWire),
)

function isWire(value: unknown): value is WireFormat {
  return typeof value === 'object' && value !== null && 'encode' in value && 'decode' in value
}

/** Imports the samples of a wire format from the folder with its name. */
async function toTestWire({ name }: WireFormat): Promise<TestWire> {
  const { testWire } = (await import(`../../src/wire/${name}/samples.ts`)) as { readonly testWire: TestWire }
  return testWire
}
