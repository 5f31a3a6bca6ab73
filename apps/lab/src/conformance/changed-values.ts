/** Changes the expected values of sampled cases, one at a time, and finds changes that no comparator notices. */
import { createRandom } from '../fuzz/random.ts'
import { changesOf, type ValueChange } from './value-changes.ts'

/** A case whose expected values can be changed in memory. */
export interface ChangeableCase {
  readonly id: string
  /** The keys of a case that contain expected values. */
  readonly expected: Readonly<Record<string, unknown>>
  /** Values to try instead of a generated one, by JSON pointer, for closed sets. */
  readonly others?: Readonly<Record<string, readonly unknown[]>>
  /** The asserted parts of the expected values, if the case lists them. */
  readonly checked?: readonly string[]
  /** True when the suite reports a failure of the case with these expected values. */
  fails(expected: Readonly<Record<string, unknown>>): boolean | Promise<boolean>
}

export interface ChangeableSuite {
  readonly name: string
  /** Empty when the corpus is missing. */
  read(): readonly ChangeableCase[] | Promise<readonly ChangeableCase[]>
  /** Lists and objects that are changed as a whole, by JSON pointer. */
  readonly whole?: RegExp
  /** Objects that must not contain any keys other than the expected ones. */
  readonly exact?: RegExp
  readonly notCompared: readonly NotCompared[]
}

/** Expected values that may change without a failure, by the contract of the runners. */
export interface NotCompared {
  readonly what: string
  readonly reason: string
  covers(change: ValueChange, one: ChangeableCase): boolean
}

export interface ChangeReport {
  /** Cases of the sample. All pass unchanged. */
  readonly cases: number
  readonly changed: number
  /** Number of changes that are listed as not compared, by the changed value. */
  readonly notCompared: Readonly<Record<string, number>>
  readonly unnoticed: readonly { readonly id: string; readonly change: string }[]
}

export interface ChangeOptions {
  readonly cases: number
  readonly seed: number
}

/** Samples only cases that pass unchanged: a case that fails already cannot turn into a failure. */
export async function changeValues(suite: ChangeableSuite, { cases, seed }: ChangeOptions): Promise<ChangeReport> {
  const random = createRandom(seed)
  const open = [...(await suite.read())]
  const report = { cases: 0, changed: 0, notCompared: {} as Record<string, number>, unnoticed: [] as Unnoticed[] }
  while (open.length > 0 && report.cases < cases) {
    const [one] = open.splice(random.below(open.length), 1) as [ChangeableCase]
    if (await one.fails(one.expected)) continue
    report.cases++
    for (const change of changesOf(one.expected, { others: one.others ?? {}, ...suite })) {
      const listed = suite.notCompared.find((entry) => entry.covers(change, one))
      if (listed !== undefined) {
        report.notCompared[listed.what] = (report.notCompared[listed.what] ?? 0) + 1
        continue
      }
      report.changed++
      if (!(await one.fails(change.expected))) report.unnoticed.push({ id: one.id, change: `${change.kind} ${change.path}` })
    }
  }
  return report
}

type Unnoticed = ChangeReport['unnoticed'][number]
