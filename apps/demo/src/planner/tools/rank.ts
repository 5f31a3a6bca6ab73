/** Ranks the offered tools by the words that they share with a clause. */

import type { Clause } from '../clauses/clauses.ts'
import { areSynonyms, isAsking, isMaking, isVerb, verbGroups, verbOfPhrase, verbOfQuestion } from '../words/lexicon.ts'
import { stem } from '../words/stem.ts'
import type { Token } from '../words/token.ts'
import { FUNCTION_WORDS, OWN_WORDS, placeOfWord } from '../words/words.ts'
import { type Catalog, effectOf, type Offer } from './catalog.ts'

export interface Ranked {
  readonly offer: Offer
  readonly score: number
  /**
   * `coverage`: the share of the clause's words that the tool knows. `nameCoverage`: the share of the name's words that the clause
   * contains.
   */
  readonly coverage: number
  readonly nameCoverage: number
  /** True if the clause starts with the verb in the tool's name, or with a synonym. */
  readonly sharesVerb: boolean
}

/** Ranks all tools, best first. Equal ones keep their order. */
export function rankOffers(clause: Clause, catalog: Catalog): Ranked[] {
  const terms = termsOf(clause.tokens)
  return catalog.offers.map((offer) => rate(terms, offer, catalog)).sort((one, other) => other.score - one.score)
}

interface Terms {
  readonly words: ReadonlySet<string>
  /** Neighboring words, written as one word. */
  readonly pairs: ReadonlySet<string>
  /** The senses of the verbs among the words, and of a question word at the start. */
  readonly groups: ReadonlyMap<string, readonly number[]>
  readonly head: string | undefined
  /** True when the user refers to themselves. */
  readonly isOwn: boolean
}

function termsOf(tokens: readonly Token[]): Terms {
  const spoken = tokens.filter(({ kind }) => kind === 'word' || kind === 'quote').map(inOneWord)
  const content = spoken.filter(({ lower, number }) => !FUNCTION_WORDS.has(lower) && number === undefined)
  const words = new Set(content.map((token) => token.stem))
  const pairs = new Set(spoken.slice(1).map((token, index) => stem(`${spoken[index]?.lower}${token.lower}`)))
  const question = verbOfQuestion(
    tokens.slice(0, 2).map(({ lower }) => lower),
    content[0]?.start === tokens[1]?.start && !isVerb(content[0]?.lower ?? ''),
  )
  const groups = new Map([...words, ...(question === undefined ? [] : [stem(question)])].map((word) => [word, verbGroups(word)]))
  // "Tell me all X" asks for a list, and "delete everything" asks to clear it.
  if (tokens.some(({ lower }) => lower === 'all' || lower === 'everything')) {
    for (const [word, senses] of [...groups]) {
      if (isAsking(word)) groups.set(ENUMERATE, verbGroups(ENUMERATE))
      else if (areSynonyms(word, ERASE)) groups.set(word, [...senses, ...verbGroups(PURGE)])
    }
  }
  return { words, pairs, groups, head: headOf(spoken, content), isOwn: tokens.some(({ lower }) => OWN_WORDS.has(lower)) }
}

/** Replaces a verb with a particle by one verb: "send it back" becomes "return". */
function inOneWord(token: Token, index: number, tokens: readonly Token[]): Token {
  const following = tokens.slice(index + 1, index + 5).map(({ lower }) => lower)
  const lower = verbOfPhrase(token.lower, following)
  return lower === undefined ? token : { ...token, lower, stem: stem(lower) }
}

/** Returns the verb of the request: the one after "please", or else the first word that doesn't only express a wish. */
function headOf(spoken: readonly Token[], content: readonly Token[]): string | undefined {
  const please = spoken.findIndex(({ lower }) => lower === 'please')
  const asked = please < 0 ? undefined : spoken[please + 1]
  if (asked !== undefined && content.includes(asked)) return asked.stem
  return content.find(({ lower }) => !EMPTY_VERBS.has(lower) && placeOfWord(lower) === undefined)?.stem
}

/** The word for the user in descriptions. */
export const OWNER = stem('user')
const EMPTY_VERBS = new Set(['want', 'need', 'help', 'know', 'wish', 'love'])
const [ENUMERATE, ERASE, PURGE] = [stem('enumerate'), stem('erase'), stem('purge')]
const ASKING_SHARE = 0.3
const OWN_SHARE = 0.5
const SYNONYM = 1.8
const HEAD_SYNONYM = 3
const DESCRIBED = 0.8
const PAIR = 4

function rate({ words, pairs, groups, head, isOwn }: Terms, offer: Offer, catalog: Catalog): Ranked {
  const said = new Set<string>()
  let [score, known, content] = [0, 0, 0]
  for (const [word, senses] of groups) {
    const isSaid = words.has(word)
    const share = isAsking(word) ? ASKING_SHARE : 1
    const weight = isSaid ? (offer.weights.get(word) ?? 0) * catalog.rarity(word) : 0
    const isDone = word === head && offer.verbs.has(word)
    const value = Math.max(weight, isDone ? HEAD_SYNONYM : likeness(senses, offer, word === head))
    if (weight > 0) said.add(word)
    if (isSaid && share === 1) {
      content++
      if (value > 0) known++
    }
    score += share * value
  }
  for (const pair of pairs) {
    if (!offer.nameStems.includes(pair)) continue
    score += PAIR * catalog.rarity(pair)
    said.add(pair)
  }
  if (isOwn && effectOf(offer) === 'reads') score += OWN_SHARE * (offer.weights.get(OWNER) ?? 0)
  const isMade = makesHead(head, offer)
  if (isMade) score += MADE
  const senses = new Set([...groups.values()].flat())
  const isNamed = (word: string) => said.has(word) || verbGroups(word).some((group) => senses.has(group))
  const headSenses = head === undefined ? [] : (groups.get(head) ?? [])
  return {
    offer,
    score,
    coverage: content === 0 ? 0 : known / content,
    nameCoverage: offer.nameStems.length === 0 ? 0 : offer.nameStems.filter(isNamed).length / offer.nameStems.length,
    sharesVerb: isMade || headSenses.some((group) => offer.nameGroups.has(group)),
  }
}

/** Returns true if the verb of the clause is the name of the thing that the tool creates: "Remind me" for a tool that sets reminders. */
function makesHead(head: string | undefined, { nameStems, nameGroups }: Offer): boolean {
  return head !== undefined && nameStems.includes(head) && verbGroups(head).length > 0 && isMaking(nameGroups)
}

const MADE = 2

/** Returns the weight of a synonym for a verb of the tool. */
function likeness(senses: readonly number[], { nameGroups, descriptionGroups }: Offer, isHead: boolean): number {
  if (senses.some((group) => nameGroups.has(group))) return isHead ? HEAD_SYNONYM : SYNONYM
  return senses.some((group) => descriptionGroups.has(group)) ? DESCRIBED : 0
}
