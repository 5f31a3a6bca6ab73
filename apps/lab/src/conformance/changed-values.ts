/** Changes the expected values of sampled cases, one at a time, and reports changes that no comparator notices. */
import { createRandom } from '../fuzz/random.ts'
import { changesOf, type ValueChange } from './value-changes.ts'

/** A case with expected values that can be changed in memory. */
export interface ChangeableCase {
  readonly id: string
  /** The expected values of the case, by key. */
  readonly expected: Readonly<Record<string, unknown>>
  /** For values from a closed set: the values to try instead of a generated one, keyed by JSON pointer. */
  readonly others?: Readonly<Record<string, readonly unknown[]>>
  /** The parts of the expected values that are asserted, if the case lists them. */
  readonly checked?: readonly string[]
  /** Returns true if the case fails with these expected values. */
  fails(expected: Readonly<Record<string, unknown>>): boolean | Promise<boolean>
}

export interface ChangeableSuite {
  readonly name: string
  /** Returns an empty list if the corpus is missing. */
  read(): readonly ChangeableCase[] | Promise<readonly ChangeableCase[]>
  /** Matches JSON pointers of lists and objects that are changed as a whole. */
  readonly whole?: RegExp
  /** Matches JSON pointers of objects whose keys must be exactly the expected ones. */
  readonly exact?: RegExp
  readonly notCompared: readonly NotCompared[]
}

/** Expected values that may change without a failure, according to the contract of the runners. */
export interface NotCompared {
  readonly what: string
  readonly reason: string
  covers(change: ValueChange, one: ChangeableCase): boolean
}

export interface ChangeReport {
  /** Number of sampled cases. All of them pass unchanged. */
  readonly cases: number
  readonly changed: number
  /** Number of changes that are listed as not compared, keyed by `what`. */
  readonly notCompared: Readonly<Record<string, number>>
  readonly unnoticed: readonly { readonly id: string; readonly change: string }[]
}

export interface ChangeOptions {
  readonly cases: number
  readonly seed: number
}

/** Samples only cases that pass unchanged: a case that already fails can't show whether a change is noticed. */
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
