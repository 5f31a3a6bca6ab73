/** Decides the next calls, or the sentences of the answer. */

import { textOfClause } from './clauses/clauses.ts'
import { isRemark } from './clauses/intents.ts'
import { hasExtreme, isExtremeWord, superlativeOf } from './clauses/superlatives.ts'
import type { Conversation, PastCall } from './conversation.ts'
import { withCarriedCount } from './fill/carried-count.ts'
import { type Filling, fillArguments } from './fill/fill.ts'
import { candidatesIn } from './fill/references.ts'
import { parseJson } from './json.ts'
import { heldIn, obstacleOf } from './obstacles.ts'
import type { PlannedCall, PlannedStep } from './plan.ts'
import { repairedArguments } from './retry.ts'
import type { Finding } from './rows.ts'
import { chosenRow, missingValue, NOTHING_CHANGED, noTool, notDone, nothingCalled, notTaken } from './sentences.ts'
import { planSteps } from './steps.ts'
import { type Catalog, effectOf, looks, type Offer } from './tools/catalog.ts'
import { offersByName } from './tools/choose.ts'
import { nameIn, searchParameter } from './tools/names.ts'
import { findProducer, seekingClause } from './tools/producers.ts'
import { unknownWordIn } from './unknown-words.ts'
import { claim, report, startWalk, type Walk } from './walk.ts'
import { PRONOUNS } from './words/words.ts'

export interface Decision {
  readonly calls: readonly PlannedCall[]
  /** The sentences of the answer so far, one for each part of the request. */
  readonly sentences: readonly string[]
  readonly findings: readonly Finding[]
}

/** Matches the steps of the task with the calls already made. Stops at the first steps that still need calls. */
export function decide(conversation: Conversation, catalog: Catalog, isCautious = false): Decision {
  const steps = planSteps(conversation.task, catalog)
  const walk = startWalk(conversation, catalog, steps, isCautious)
  for (const step of steps) {
    if (walkStep(walk, step) === 'wait') return walk
  }
  for (const call of walk.open) report(walk, call)
  return walk
}

/**
 * Processes one step. Skips it if it is done or can't be served, and otherwise plans a call. Returns `wait` if this step and the
 * following ones need results of planned calls.
 */
function walkStep(walk: Walk, step: PlannedStep): 'on' | 'wait' {
  const { offer, clause, hindrance } = step
  if (offer === undefined) {
    if (!(walk.isCautious && walk.isServing && isRemark(clause))) walk.sentences.push(noTool(textOfClause(clause)))
    return 'on'
  }
  if (hindrance !== undefined) {
    if (hindrance === 'report' && walk.isCautious && walk.isServing) return 'on'
    walk.sentences.push(notDone(textOfClause(clause), hindrance, offer))
    return 'on'
  }
  if (walk.calls.length > 0 && (!mayRunBeside(walk.calls, offer) || refersBack(step))) return 'wait'
  const done = claim(walk, offer.name)
  const filling = fill(walk, step, offer)
  if (done !== undefined) return goPast(walk, step, done, offer, filling)
  if (filling.missing.length === 0) return call(walk, step, offer, filling)
  return walk.calls.length > 0 ? 'wait' : produce(walk, step, offer, filling)
}

function fill({ conversation, findings }: Walk, { clause, before }: PlannedStep, offer: Offer): Filling {
  return withCarriedCount(fillArguments(offer, clause, findings, conversation.inputs), clause, before, offer)
}

/** Plans a call. Plans none if the arguments can't express the clause, the same call is planned already, or it was made and succeeded. */
function call(walk: Walk, step: PlannedStep, offer: Offer, filling: Filling): 'on' {
  const { clause } = step
  const { args } = filling
  const obstacle = obstacleOf(step, offer, filling, walk.findings, walk.isCautious)
  if (obstacle !== undefined) {
    walk.sentences.push(notTaken(textOfClause(clause), obstacle, offer))
    return 'on'
  }
  const text = textOfArguments(args)
  const isPlanned = walk.calls.some((planned) => planned.offer === offer && textOfArguments(planned.args) === text)
  const isDone = walk.conversation.past.some(
    (past) => past.name === offer.name && !past.isError && JSON.stringify(parseJson(past.arguments)) === text,
  )
  if (!isPlanned && !isDone) walk.calls.push({ offer, args, reason: textOfClause(clause) })
  return 'on'
}

function textOfArguments(args: ReadonlyMap<string, unknown>): string {
  return JSON.stringify(Object.fromEntries(args))
}

/** Plans one call to a tool that can find a missing value. If there is no such tool, asks the user for the value. */
function produce(walk: Walk, step: PlannedStep, offer: Offer, { missing }: Filling): 'on' | 'wait' {
  for (const parameter of missing) {
    const producer = findProducer(parameter, offer, step.clause, walk.catalog)
    if (producer === undefined) continue
    const asked = claim(walk, producer.name)
    if (asked !== undefined) {
      report(walk, asked)
      const filling = fill(walk, step, offer)
      if (filling.missing.length === 0) return call(walk, step, offer, filling)
      if (walk.isCautious && !asked.isError && walk.findings.at(-1)?.rows.length === 0) return goOn(walk, step, offer)
    } else {
      const args = searchArguments(walk, step, offer, producer)
      if (args === undefined || isSearched(walk, producer, args)) continue
      walk.calls.push({ offer: producer, args, reason: textOfClause(step.clause) })
      return 'wait'
    }
  }
  const candidates = missing.length === 1 && missing[0] !== undefined ? candidatesIn(missing[0], walk.findings) : []
  walk.sentences.push(missingValue(missing, offer, textOfClause(step.clause), candidates))
  return 'on'
}

/**
 * Returns true if this request already made the search. Also returns true if an earlier search with this tool has results, unless the
 * planner is cautious and the search has exactly one argument.
 */
function isSearched({ conversation, findings, isCautious }: Walk, { name }: Offer, args: Filling['args']): boolean {
  const text = textOfArguments(args)
  const isMade = conversation.past.some((call) => call.name === name && JSON.stringify(parseJson(call.arguments)) === text)
  return isMade || (!(isCautious && args.size === 1) && findings.some(({ offer }) => offer?.name === name))
}

/** Called when a search found nothing. Tries the next tool for the named thing. If there is none, adds a sentence about the failure. */
function goOn(walk: Walk, step: PlannedStep, offer: Offer): 'on' | 'wait' {
  const offers = effectOf(offer) === 'reads' ? offersByName(step.clause, walk.catalog) : []
  const next = offers[offers.indexOf(offer) + 1]
  if (next !== undefined) {
    walk.sentences.pop()
    const done = claim(walk, next.name)
    const filling = fill(walk, step, next)
    return done === undefined ? produce(walk, step, next, filling) : goPast(walk, step, done, next, filling)
  }
  if (effectOf(offer) !== 'reads') walk.sentences.push(NOTHING_CHANGED)
  else if (offers.length > 1) walk.sentences.splice(-1, 1, nothingCalled(nameIn(step.clause, offer) ?? ''))
  return 'on'
}

/**
 * Returns the arguments for a search that finds the thing in the clause. Returns undefined if the clause doesn't make clear which thing
 * it is.
 */
function searchArguments(walk: Walk, { clause }: PlannedStep, offer: Offer, producer: Offer): Filling['args'] | undefined {
  const parameter = searchParameter(producer)
  const name = walk.isCautious && parameter !== undefined ? nameIn(clause, offer) : undefined
  if (parameter !== undefined && name !== undefined) {
    const held = heldIn([name], producer, [])
    const unknown = unknownWordIn(clause, offer, held, held)
    const isKnown = unknown === undefined || producer.weights.has(clause.tokens[unknown]?.stem ?? '')
    return isKnown ? new Map([[parameter.name, name]]) : undefined
  }
  const seeking = { clause: seekingClause(clause, offer) }
  const filling = fill(walk, seeking, producer)
  const isBlind = filling.args.size === 0 && producer.parameters.length > 0 && effectOf(offer) !== 'reads'
  const isUnclear = filling.args.size > 0 && obstacleOf(seeking, producer, filling, walk.findings, walk.isCautious) !== undefined
  return filling.missing.length > 0 || isBlind || isUnclear ? undefined : filling.args
}

/** Reports a completed call. If the call failed and its message suggests a fix, repeats it once. */
function goPast(walk: Walk, { clause }: PlannedStep, done: PastCall, offer: Offer, filling: Filling): 'on' | 'wait' {
  const args = done.isError ? repairedArguments(done, filling, offer) : undefined
  const second = args === undefined ? undefined : claim(walk, offer.name)
  if (args !== undefined && second === undefined) {
    walk.calls.push({ offer, args, reason: done.result ?? '' })
    return 'wait'
  }
  report(walk, second ?? done)
  const finding = walk.findings.at(-1)
  const row = finding === undefined || finding.rows.length < 2 ? undefined : superlativeOf(clause.tokens, finding.rows, offer)
  const word = clause.tokens.find(({ lower }) => isExtremeWord(lower))?.lower
  if (row !== undefined && word !== undefined && finding?.offer === offer) {
    walk.findings[walk.findings.length - 1] = { ...finding, focus: row }
    walk.sentences.push(chosenRow(word, row))
  }
  return 'on'
}

/** Returns true if the calls may run in parallel: they all only read, or they all call the same tool. */
function mayRunBeside(calls: readonly PlannedCall[], offer: Offer): boolean {
  return (
    calls.every((planned) => planned.offer === offer) ||
    [offer, ...calls.map((planned) => planned.offer)].every((one) => effectOf(one) !== 'acts' && looks(one))
  )
}

function refersBack({ clause }: PlannedStep): boolean {
  return (
    hasExtreme(clause.tokens) || clause.tokens.some(({ lower }, index) => PRONOUNS.has(lower) && !(lower === 'that' && index < 2))
  )
}
