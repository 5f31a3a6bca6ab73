/** Turns a task into steps: each is a clause with the tool that serves it. */

import { type Clause, joinClauses, splitClauses } from './clauses/clauses.ts'
import { oneForEach } from './each.ts'
import { fillArguments } from './fill/fill.ts'
import type { PlannedStep } from './plan.ts'
import { isRefused, type ReadClause, readClauses, withCondition } from './requests.ts'
import { type Catalog, effectOf, type Offer } from './tools/catalog.ts'
import { chooseOffer } from './tools/choose.ts'
import { withoutIdioms } from './words/idioms.ts'
import { isVerb } from './words/lexicon.ts'
import { stem, stemsOf } from './words/stem.ts'
import { type Token, tokenize } from './words/token.ts'
import { FUNCTION_WORDS, QUESTION_WORDS } from './words/words.ts'

/** Returns the steps of a task in order. A clause that asks for nothing is joined with one of its neighbors. */
export function planSteps(task: string, catalog: Catalog): PlannedStep[] {
  const tokens = withoutIdioms(tokenize(task))
  const clauses = splitClauses(task, tokens, headTest(catalog))
  const steps: PlannedStep[] = []
  for (const read of readClauses(clauses.slice(0, MOST_CLAUSES))) addClause(steps, read, catalog)
  return steps.map((step, index) => ({ ...step, before: steps[index - 1]?.clause })).flatMap(oneForEach)
}

/** Removes the hindrance if the tool may be called in spite of it. */
function hindered({ clause, offer, hindrance }: PlannedStep): PlannedStep {
  const isFree = hindrance === undefined || (offer !== undefined && !isRefused(offer, clause, hindrance))
  return isFree ? { clause, offer } : { clause, offer, hindrance }
}

/** Creates the test for words that may start a clause: the first verb of a tool's description, or a tool's name written as two words. */
function headTest({ offers }: Catalog): (token: Token, next: Token | undefined) => boolean {
  const names = new Set(offers.flatMap(({ nameStems }) => nameStems))
  const verbs = new Set(offers.flatMap(({ description }) => stemsOf(description.slice(0, 80)).slice(0, 1)))
  return (token, next) => {
    const isBase = !/(?:s|ing|ed)$/.test(token.lower) && !FUNCTION_WORDS.has(token.lower)
    const isPair = names.has(stem(`${token.lower}${next?.lower ?? ''}`)) && !names.has(token.stem)
    return isPair || (isBase && next !== undefined && verbs.has(token.stem))
  }
}

const MOST_CLAUSES = 24

function addClause(steps: PlannedStep[], read: ReadClause, catalog: Catalog): void {
  const { hindrance } = read
  const last = steps.at(-1)
  const own = chooseFor(read, catalog, last?.offer)
  const isGoverned = own !== undefined && hindrance !== undefined && isRefused(own, read.clause, hindrance)
  const clause = isGoverned ? read.clause : withCondition(read)
  const offer = isGoverned || read.condition === undefined ? own : chooseOffer(clause, catalog, last?.offer)
  const push = () => steps.push(hindered({ clause, offer, hindrance }))
  const joinLast = (joined: Offer | undefined) => {
    const before = (last as PlannedStep).clause
    const both =
      joined === offer && joined !== undefined && last?.offer === undefined
        ? joinClauses(clause, before)
        : joinClauses(before, clause)
    const chosen = joined ?? chooseOffer(both, catalog)
    const isCarried = last?.offer !== undefined || joined === undefined
    const reason = offer !== undefined || hindrance === 'conditional' ? hindrance : isCarried ? last?.hindrance : undefined
    steps[steps.length - 1] = hindered({ clause: both, offer: chosen, hindrance: reason })
  }
  if (last === undefined || isGoverned) push()
  else if (offer === undefined && clause.joint === 'and' && !asksForMore(clause, last)) joinLast(last.offer)
  else if (offer === undefined) {
    if (last.offer !== undefined && clause.joint !== 'and' && !isQuestion(clause)) joinLast(last.offer)
    else push()
  } else if (last.hindrance !== undefined && (last.offer !== undefined || last.hindrance === 'negated')) push()
  else if (last.offer === undefined && !isQuestion(last.clause) && last.clause.joint !== 'and') joinLast(offer)
  else if (last.offer === offer && (isLacking(last) || isLacking({ clause, offer }))) joinLast(offer)
  else push()
}

/** Chooses the tool for a clause. If the best tool must not be called for a question, prefers a tool that may answer it. */
function chooseFor({ clause, hindrance }: ReadClause, catalog: Catalog, before: Offer | undefined): Offer | undefined {
  const offer = chooseOffer(clause, catalog, before)
  if (offer === undefined || hindrance !== 'question' || !isRefused(offer, clause, hindrance)) return offer
  return chooseOffer(clause, { ...catalog, offers: catalog.offers.filter((one) => effectOf(one) === 'reads') }) ?? offer
}

/** Returns true if the clause is a separate request: it starts with a verb and an object, and contains no values. */
function asksForMore({ tokens }: Clause, last: PlannedStep): boolean {
  const [verb, object] = tokens
  const hasValues = tokens.some(({ kind, number }) => (kind !== 'word' && kind !== 'sign') || number !== undefined)
  return (
    last.offer !== undefined &&
    !hasValues &&
    verb !== undefined &&
    isVerb(verb.lower) &&
    FUNCTION_WORDS.has(object?.lower ?? '') &&
    tokens.length > 2
  )
}

function isQuestion({ tokens }: Clause): boolean {
  return tokens.at(-1)?.text === '?' || QUESTION_WORDS.has(tokens[0]?.lower ?? '')
}

function isLacking({ clause, offer }: PlannedStep): boolean {
  return offer !== undefined && fillArguments(offer, clause, []).missing.some(({ identifier }) => !identifier)
}
