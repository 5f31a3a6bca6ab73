/** Decides if a clause asks for a change, given the rest of the sentence, and which tools may be called if it doesn't. */

import { type Clause, joinClauses } from './clauses/clauses.ts'
import { forbids, type Hindrance, hindranceOf, isCondition, spreads } from './clauses/intents.ts'
import { reasonStart } from './clauses/reasons.ts'
import { fillArguments } from './fill/fill.ts'
import { isForReason } from './fill/text-kinds.ts'
import { effectOf, type Offer } from './tools/catalog.ts'
import { isUndoing, verbGroups } from './words/lexicon.ts'
import { isNegation } from './words/words.ts'

export interface ReadClause {
  readonly clause: Clause
  readonly hindrance?: Hindrance | undefined
  /** The condition that precedes the clause, such as "If …,". */
  readonly condition?: Clause | undefined
}

/** Returns the clauses, each with the reason why it requests no change, if any. A condition belongs to the clause that follows it. */
export function readClauses(clauses: readonly Clause[]): ReadClause[] {
  const read: ReadClause[] = []
  let condition: Clause | undefined
  let passed: Hindrance | undefined
  clauses.forEach((clause, index) => {
    const before = clauses[index - 1]
    if (before === undefined || passed === undefined || !spreads(passed, clause, before)) passed = undefined
    const own = hindranceOf(clause)
    const hindrance = own ?? passed
    if (isCondition(clause) && clauses[index + 1]?.joint === 'and') condition = clause
    else {
      read.push({ clause, hindrance, condition })
      condition = undefined
    }
    passed = own === 'conditional' && !isCondition(clause) ? undefined : hindrance
  })
  return read
}

/** Returns true if the hindrance of a clause forbids calling the tool. */
export function isRefused(offer: Offer, clause: Clause, hindrance: Hindrance): boolean {
  const effect = effectOf(offer)
  if (effect === 'reads') return forbids(clause)
  if (hindrance === 'question') return effect === 'acts' || !ASKS_FOR_THING.has(clause.tokens[0]?.lower ?? '')
  if (hindrance === 'negated') return forbids(clause) || !(turnsOff(offer, clause) || isReasoned(offer, clause))
  return hindrance !== 'undone' || !undoes(offer, clause)
}

/** Returns the clause together with its condition. */
export function withCondition({ clause, condition }: ReadClause): Clause {
  return condition === undefined ? clause : joinClauses(condition, clause)
}

const ASKS_FOR_THING = new Set(['what', 'which', 'who', 'where', 'is', 'are', 'how'])

/** Returns true if the negation sets a boolean to false: "without a lid". */
function turnsOff(offer: Offer, { tokens, ...clause }: Clause): boolean {
  const negations = tokens.filter(({ lower }) => isNegation(lower)).length
  return negations === 1 && [...fillArguments(offer, { ...clause, tokens }, []).args.values()].includes(false)
}

/** Returns true if only the reason is negated, and the tool takes a reason: "Return it, I don't like it". */
function isReasoned({ parameters }: Offer, { tokens, ...clause }: Clause): boolean {
  const start = reasonStart(tokens)
  return start > 0 && parameters.some(isForReason) && hindranceOf({ ...clause, tokens: tokens.slice(0, start) }) === undefined
}

function undoes({ nameGroups, descriptionGroups }: Offer, { tokens }: Clause): boolean {
  const verb = tokens.find(({ lower }) => isUndoing(lower))
  return verbGroups(verb?.stem ?? '').some((group) => nameGroups.has(group) || descriptionGroups.has(group))
}
