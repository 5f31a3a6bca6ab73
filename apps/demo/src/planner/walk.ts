/** The state while processing the steps of a plan: past calls, findings, sentences, and the next calls. */

import type { Conversation, PastCall } from './conversation.ts'
import type { PlannedCall, PlannedStep } from './plan.ts'
import { resultText } from './result-text.ts'
import { type Finding, readFinding } from './rows.ts'
import { failure, notRun } from './sentences.ts'
import type { Catalog } from './tools/catalog.ts'

export interface Walk {
  readonly catalog: Catalog
  readonly conversation: Conversation
  /** Calls of the conversation that haven't been matched with a step. */
  readonly open: PastCall[]
  /** The names of all tools that the steps use. */
  readonly planned: ReadonlySet<string>
  readonly isCautious: boolean
  /** True if at least one step may call a tool. */
  readonly isServing: boolean
  readonly findings: Finding[]
  readonly calls: PlannedCall[]
  readonly sentences: string[]
}

/** Starts a walk with the results of the calls before the task. */
export function startWalk(
  conversation: Conversation,
  catalog: Catalog,
  steps: readonly PlannedStep[],
  isCautious: boolean,
): Walk {
  return {
    catalog,
    conversation,
    isCautious,
    isServing: steps.some(({ offer, hindrance }) => offer !== undefined && hindrance === undefined),
    open: [...conversation.past],
    planned: new Set(steps.flatMap(({ offer }) => offer?.name ?? [])),
    findings: conversation.earlier.filter(({ isError }) => !isError).flatMap((call) => findingOf(call, catalog) ?? []),
    calls: [],
    sentences: [],
  }
}

/** Returns the next call to the tool, and marks it as used. Also reports unplanned calls before it, which provided its inputs. */
export function claim(walk: Walk, name: string): PastCall | undefined {
  const { open, planned } = walk
  const place = open.findIndex((call) => call.name === name)
  if (place < 0) return undefined
  const [claimed] = open.splice(place, 1)
  for (const call of open.slice(0, place).filter((before) => !planned.has(before.name))) {
    open.splice(open.indexOf(call), 1)
    report(walk, call, true)
  }
  return claimed
}

/**
 * Adds a sentence about a result, and keeps the result for later steps. If the call only provided an input for another call (`isAid`), a
 * result with a single row gets no sentence.
 */
export function report(walk: Walk, call: PastCall, isAid = false): void {
  if (call.result === undefined) walk.sentences.push(notRun(call.name))
  else if (call.isError) walk.sentences.push(failure(call.result))
  else {
    const finding = findingOf(call, walk.catalog)
    if (finding === undefined) return
    walk.findings.push(finding)
    if (!isAid || !walk.isCautious || finding.rows.length !== 1) walk.sentences.push(resultText(call.name, finding))
  }
}

function findingOf({ name, result }: PastCall, { offers }: Catalog): Finding | undefined {
  return result === undefined
    ? undefined
    : readFinding(
        result,
        offers.find((offer) => offer.name === name),
      )
}
