/** The planner's data about each offered tool: the weights of its words, its verbs and its parameters. */
import type { LMRequest } from '@x/adapters'
import { isActing, isAsking, isHarmless, isReading, isVerb, verbGroups } from '../words/lexicon.ts'
import { stem, stemsOf, wordsOfName } from '../words/stem.ts'
import { FUNCTION_WORDS } from '../words/words.ts'
import { type Parameter, readParameters } from './parameters.ts'

type ToolSpec = NonNullable<LMRequest['tools']>[number]

export interface Offer {
  readonly name: string
  readonly description: string
  readonly parameters: readonly Parameter[]
  /** The stems of the name, without question words. */
  readonly nameStems: readonly string[]
  /** Verb senses: those of the first verb in the name (`nameGroups`), and those of all verbs in the description (`descriptionGroups`). */
  readonly nameGroups: ReadonlySet<number>
  readonly descriptionGroups: ReadonlySet<number>
  /** The verbs at the start of the description or after a colon. */
  readonly verbs: ReadonlySet<string>
  /** Weight of each stem for the tool. */
  readonly weights: ReadonlyMap<string, number>
}

export interface Catalog {
  readonly offers: readonly Offer[]
  /** Returns 1 if only one tool has the stem, and almost 0 if all tools have it. */
  rarity(stem: string): number
}

/** Analyzes the tools of a request. The result for a tool is cached as long as the tool object exists. */
export function readCatalog(tools: LMRequest['tools'] = []): Catalog {
  const offers = tools.flatMap((tool) => offerOf(tool) ?? [])
  const counts = new Map<string, number>()
  for (const { weights } of offers) for (const word of weights.keys()) counts.set(word, (counts.get(word) ?? 0) + 1)
  const scale = Math.log(1 + offers.length)
  return { offers, rarity: (word) => Math.log(1 + offers.length / (counts.get(word) ?? 1)) / scale }
}

/** Returns true for a tool that only reads, judged by the verb in its name or, if there is none, by the first word of its description. */
export function looks({ name, description }: Offer): boolean {
  if (effectOf({ name, description }) === 'acts') return false
  const verb = wordsOfName(name).find(isVerb)
  return isReading(verb === undefined ? (stemsOf(description)[0] ?? '') : stem(verb))
}

/** Returns `reads` for a tool without side effects, `acts` if the tool's verb may change something, and otherwise `unknown`. */
export function effectOf({ name, description }: Pick<Offer, 'name' | 'description'>): 'reads' | 'acts' | 'unknown' {
  const words = wordsOfName(name)
  const place = words.findIndex(isVerb)
  const said =
    description
      .slice(0, 200)
      .toLowerCase()
      .match(/\p{L}+/gu) ?? []
  const [verb = '', particle = ''] = place < 0 ? said : words.slice(place)
  if (isActing(verb, particle)) return 'acts'
  if (isHarmless(stem(verb))) return 'reads'
  return place >= 0 || verbGroups(stem(verb)).length > 0 ? 'acts' : 'unknown'
}

export const WEIGHTS = { name: 3, parameter: 1.5, description: 1.2, choice: 1.2, parameterDescription: 0.4 }

const LEADING = /(?:^|[:.;] )(\p{L}+)/gu
const known = new WeakMap<ToolSpec, Offer>()

function offerOf(tool: ToolSpec): Offer | undefined {
  const { name, description, parameters } = tool?.function ?? {}
  if (typeof name !== 'string') return undefined
  let offer = known.get(tool)
  if (offer === undefined) {
    offer = describe(name, typeof description === 'string' ? description.slice(0, 2000) : '', readParameters(parameters))
    known.set(tool, offer)
  }
  return offer
}

function describe(name: string, description: string, parameters: readonly Parameter[]): Offer {
  const weights = new Map<string, number>()
  const add = (words: Iterable<string>, weight: number) => {
    for (const word of words) if (!FUNCTION_WORDS.has(word) && (weights.get(word) ?? 0) < weight) weights.set(word, weight)
  }
  const nameWords = wordsOfName(name)
  const nameStems = nameWords.map(stem)
  add(nameStems, WEIGHTS.name)
  add(
    nameWords.slice(1).map((word, index) => stem(`${nameWords[index]}${word}`)),
    WEIGHTS.name,
  )
  add(stemsOf(description), WEIGHTS.description)
  for (const parameter of parameters) addParameter(parameter, add)
  return {
    name,
    description,
    parameters,
    nameStems: nameStems.filter((word) => !FUNCTION_WORDS.has(word) && !isAsking(word)),
    nameGroups: new Set(verbGroups(stem(nameWords.find(isVerb) ?? ''))),
    descriptionGroups: new Set(
      stemsOf(description)
        .filter((word) => !isAsking(word))
        .flatMap(verbGroups),
    ),
    verbs: new Set(
      [...description.toLowerCase().matchAll(LEADING)].flatMap(([, word = '']) => (isVerb(word) ? [stem(word)] : [])),
    ),
    weights,
  }
}

function addParameter(
  { stems, descriptionStems, choices, properties }: Parameter,
  add: (words: Iterable<string>, weight: number) => void,
): void {
  add(stems, WEIGHTS.parameter)
  add(descriptionStems, WEIGHTS.parameterDescription)
  for (const choice of choices ?? []) add(stemsOf(String(choice)), WEIGHTS.choice)
  for (const property of properties) addParameter(property, add)
}
