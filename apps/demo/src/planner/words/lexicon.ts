/** A general English thesaurus of everyday verbs. The verbs of one line are synonyms. */
import { stem } from './stem.ts'

/** Returns the groups of a word's verb senses. Returns an empty list for a word that isn't an everyday verb. */
export function verbGroups(wordStem: string): readonly number[] {
  return groupsOfStem.get(wordStem) ?? []
}

/** Returns true for an everyday verb in its base form, which is the form that starts a request. */
export function isVerb(word: string): boolean {
  return baseForms.has(word)
}

/** Returns true for verbs that ask for an answer but don't name its subject. */
export function isAsking(wordStem: string): boolean {
  return askingStems.has(wordStem)
}

/** Returns the verb that a question stands for, by its first words. "What lamps" means "which lamps". */
export function verbOfQuestion([word = '', next]: readonly string[], isBeforeNoun: boolean): string | undefined {
  if (word === 'how' && next === 'many') return 'count'
  return QUESTION_VERBS.get(isBeforeNoun && word === 'what' ? 'which' : word)
}

/** Returns the verb that is equivalent to a verb with a particle, such as "send it back". */
export function verbOfPhrase(verb: string, following: readonly string[]): string | undefined {
  return following.map((particle) => PHRASES.get(`${stem(verb)} ${particle}`)).find((found) => found !== undefined)
}

/** Returns the past participle of a verb in its base form: "added", "sent". */
export function pastOf(verb: string): string {
  const irregular = IRREGULAR.get(verb)
  if (irregular !== undefined) return irregular
  if (verb.endsWith('e')) return `${verb}d`
  if (/[^aeiou]y$/.test(verb)) return `${verb.slice(0, -1)}ied`
  return `${verb}${DOUBLED.test(verb) ? verb.at(-1) : ''}ed`
}

/** Returns true for verbs that only read. */
export function isReading(wordStem: string): boolean {
  return readingStems.has(wordStem)
}

/** Returns true for verbs that compute something without side effects. */
export function isHarmless(wordStem: string): boolean {
  return readingStems.has(wordStem) || harmlessStems.has(wordStem)
}

/** Returns true for a reading verb that changes something together with this particle: "check out". */
export function isActing(verb: string, particle: string): boolean {
  return ACTING.has(`${verb} ${particle}`)
}

/** Returns true for verbs that stop or undo something, in their base form. */
export function isUndoing(word: string): boolean {
  return UNDOING.has(word)
}

/** Returns true if one of the verb's senses creates something. */
export function isMaking(groups: ReadonlySet<number>): boolean {
  return MAKING.some((verb) => verbGroups(stem(verb)).some((group) => groups.has(group)))
}

/** Returns true if the words have a verb sense in common. */
export function areSynonyms(oneStem: string, otherStem: string): boolean {
  const groups = verbGroups(otherStem)
  return verbGroups(oneStem).some((group) => groups.includes(group))
}

const QUESTION_VERBS = new Map([
  ['where', 'locate'],
  ['what', 'view'],
  ['which', 'list'],
])

const IRREGULAR = new Map(
  'begin begun,build built,buy bought,checkout checked-out,do done,get got,give given,hold held,keep kept,leave left,lend lent,make made,pay paid,put put,run run,sell sold,send sent,set set,shut shut,split split,take taken,write written'
    .split(',')
    .map((line) => line.split(' ').map((word) => word.replace('-', ' ')) as [string, string]),
)
const DOUBLED = /^[^aeiou]*[aeiou][bdgmnpt]$|(?:cel|fer|mit|vel)$/

const PHRASES = new Map(
  'send back return,give back return,take back return,sign up register,call off cancel,look up find,throw away delete,write down store,set up create,put on add,take out remove,take off remove'
    .split(',')
    .map((line) => {
      const [verb = '', particle, meaning = ''] = line.split(' ')
      return [`${stem(verb)} ${particle}`, meaning]
    }),
)

const ASKING =
  'show display view see present give tell get fetch retrieve obtain find search look list provide need want help know check'
const READING = `${ASKING} seek browse query read recall enumerate inspect examine track trace locate follow count compare calculate compute determine describe lookup`

const HARMLESS =
  'convert translate estimate predict forecast analyze analyse summarize summarise match sort rank filter evaluate solve measure simulate identify explain recommend suggest validate verify guess think answer scan classify detect extract parse format say'
const ACTING = new Set(['check out', 'check in', 'check off', 'give away', 'give back', 'give up', 'count down', 'look after'])
const UNDOING = new Set(['cancel', 'abort', 'revoke', 'stop', 'halt', 'undo'])

const MAKING = ['make', 'assign', 'add']

const GROUPS = [
  'delete remove erase forget drop discard',
  'clear empty wipe reset purge',
  'store save remember keep record memorize note retain',
  'store set change',
  'retrieve recall fetch get obtain recollect',
  'find search look seek browse lookup discover query',
  'list enumerate show display',
  'view show display see inspect look open',
  'buy purchase order acquire',
  'add put append insert include',
  'track trace locate follow',
  'return refund bring',
  'send mail deliver dispatch ship forward',
  'create make generate build produce compose draft',
  'update change modify edit alter adjust revise set',
  'cancel abort revoke call-off',
  'book reserve',
  'schedule plan arrange organize',
  'remind notify alert warn',
  'translate render interpret',
  'convert transform exchange turn',
  'calculate compute determine evaluate solve work',
  'estimate predict forecast project',
  'guess think suppose reckon believe suspect',
  'give provide supply offer hand',
  'tell inform explain describe say',
  'compare contrast match',
  'count number tally',
  'start begin launch run initiate activate',
  'stop end halt terminate finish deactivate',
  'play perform',
  'pay settle charge',
  'transfer move send wire put shift',
  'check verify validate confirm test inspect',
  'analyze analyse examine study assess',
  'summarize summarise condense shorten',
  'write compose author',
  'read scan',
  'rate score rank grade',
  'sort arrange rank',
  'filter select choose pick',
  'share publish post',
  'register enroll join subscribe',
  'leave quit exit unsubscribe',
  'invite ask request',
  'accept approve allow permit',
  'reject refuse deny decline',
  'open unlock',
  'close shut lock',
  'connect link join attach',
  'split divide separate',
  'merge combine unite join',
  'measure weigh gauge',
  'draw paint sketch plot',
  'learn study',
  'teach train',
  'call phone ring dial contact',
  'repair fix repair',
  'help assist support',
  'recommend suggest advise propose',
  'replace swap substitute exchange',
  'copy duplicate clone',
  'upload submit',
  'download fetch',
  'navigate drive go travel route',
  'rent hire lease',
  'borrow lend loan',
  'sell trade',
  'hide conceal',
  'increase raise grow boost',
  'decrease reduce lower cut',
  'set configure assign define',
]

const OTHER_VERBS =
  'pack use let take apply print answer name identify simulate visualize roll flip throw wait try visit cook eat watch listen wake'

const groupsOfStem = new Map<string, number[]>()
const baseForms = new Set<string>([...ASKING.split(' '), ...READING.split(' '), ...OTHER_VERBS.split(' ')])
GROUPS.forEach((line, group) => {
  for (const verb of line.split(' ')) {
    baseForms.add(verb)
    const verbStem = stem(verb)
    groupsOfStem.set(verbStem, [...(groupsOfStem.get(verbStem) ?? []), group])
  }
})
const askingStems = new Set(ASKING.split(' ').map(stem))
const harmlessStems = new Set(HARMLESS.split(' ').map(stem))
const readingStems = new Set(READING.split(' ').map(stem))
