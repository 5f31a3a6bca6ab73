/** Scores selected tools against expected tools. */

export interface SelectionScore {
  /** The share of selected tools that were expected. 1 if none was selected. */
  readonly precision: number
  /** The share of expected tools that were selected. 1 if none was expected. */
  readonly recall: number
  /** The harmonic mean of precision and recall. */
  readonly f1: number
}

/**
 * Compares names, in any order. A tool that is expected twice has to be selected twice. As a metric for `evaluate`:
 * `(expected, { toolCalls }) => selectionScore(expected, toolCalls).f1`.
 */
export function selectionScore(expected: readonly string[], selected: readonly { readonly name: string }[]): SelectionScore {
  return scoreSelections([{ expected, selected }])
}

/** Returns the score over a whole set of selections. Each tool counts once, so a selection of three tools counts three times. */
export function scoreSelections(
  selections: readonly { readonly expected: readonly string[]; readonly selected: readonly { readonly name: string }[] }[],
): SelectionScore {
  let right = 0
  let wanted = 0
  let chosen = 0
  for (const { expected, selected } of selections) {
    right += countRight(expected, selected)
    wanted += expected.length
    chosen += selected.length
  }
  const precision = share(right, chosen)
  const recall = share(right, wanted)
  return { precision, recall, f1: precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall) }
}

function countRight(expected: readonly string[], selected: readonly { readonly name: string }[]): number {
  const open = new Map<string, number>()
  for (const name of expected) open.set(name, (open.get(name) ?? 0) + 1)
  let right = 0
  for (const { name } of selected) {
    const left = open.get(name) ?? 0
    if (left > 0) right++
    open.set(name, left - 1)
  }
  return right
}

function share(part: number, whole: number): number {
  return whole === 0 ? 1 : part / whole
}
