/** Reads an action in the form of one JSON object: `{"thought", "action", "action_input", "final_answer"}`. */
import type { BlockContext, BlockOutcome } from '../../engine/block.ts'
import { type ExactJson, recoverExactly } from '../../engine/exact-json.ts'
import { JsonScanner } from '../../engine/json-scanner.ts'
import { loose, MarkerSet } from '../../engine/marker.ts'
import type { Reading } from '../../engine/text-input.ts'
import { readRest } from './react-headers.ts'
import { BareInput } from './react-input.ts'

/** Reads an action object, whose beginning is part of the open marker. Text after the call isn't parsed; see `readRest`. */
export function* readActionObject(context: BlockContext): Reading<BlockOutcome> {
  const { input, opener, tools, policy, giveText, giveReasoning } = context
  const raw = yield* readObjectText(context, opener.slice(opener.indexOf('{')))
  if (raw === undefined) return 'cut'
  const read = recoverExactly(raw)
  if (read === undefined) return 'malformed'
  const members = read.value as Readonly<Record<string, unknown>>
  const { thought, action } = members
  const inputKey = isNone(members.action_input) ? 'tool_input' : 'action_input'
  const answerKey = isFinal(action) && isNone(members.final_answer) ? inputKey : 'final_answer'
  const isAnswer = !isNone(members[answerKey])
  if (!isAnswer && (typeof action !== 'string' || action === '')) return 'text'
  if (!isAnswer && policy.unknownTool === 'text' && !tools.has(action as string)) return 'text'
  if (typeof thought === 'string') giveReasoning(thought)
  const key = isAnswer ? answerKey : inputKey
  const given = { json: toMemberTexts(read.json).get(key) ?? 'null', value: members[key] }
  if (isAnswer) giveText(toBare(given))
  else writeCall(context, action as string, given)
  yield* input.match(END_OF_FENCE)
  if (!isAnswer) yield* readRest(context)
  return 'read'
}

const END_OF_FENCE = new MarkerSet<string>({ fence: loose(' ```') })

/** Returns the text of the whole object, including the part that was already consumed. Returns undefined if the object has no end. */
function* readObjectText({ input }: BlockContext, begun: string): Reading<string | undefined> {
  const scanner = new JsonScanner()
  let raw = begun
  scanner.push(begun, 0)
  const isWhole = yield* input.scan(scanner, (text) => {
    raw += text
  })
  return isWhole ? raw : undefined
}

function isFinal(action: unknown): boolean {
  return typeof action === 'string' && /^final[ _]?answer$/i.test(action.trim())
}

function isNone(value: unknown): boolean {
  return value === undefined || value === null
}

type Given = Pick<ExactJson, 'json' | 'value'>

/** Returns the JSON of each member's value, as it is written in the object. */
function toMemberTexts(object: string): ReadonlyMap<string, string> {
  const texts = new Map<string, string>()
  for (let at = skipTo(object, 1); object.charAt(at) === '"'; ) {
    const endOfKey = new JsonScanner().push(object, at)
    const start = skipTo(object, endOfKey)
    const end = new JsonScanner().push(object, start)
    texts.set(JSON.parse(object.slice(at, endOfKey)) as string, object.slice(start, end).trimEnd())
    at = skipTo(object, end)
  }
  return texts
}

/** Returns the position of the next key or value, or of the end of the object. */
function skipTo(object: string, from: number): number {
  let at = from
  while (' \t\r\n,:'.includes(object.charAt(at)) && at < object.length) at++
  return at
}

/**
 * Writes the call. An object, or a string that contains one, becomes its arguments. Any other value becomes its only argument.
 */
function writeCall(context: BlockContext, name: string, given: Given): void {
  const { calls } = context
  const { json, value } = toObject(given)
  if (typeof value === 'object' && !Array.isArray(value)) {
    calls.start({ name })
    calls.write(value === null ? '{}' : json)
  } else {
    const bare = new BareInput(context, name)
    bare.give(toBare(given))
    bare.end()
  }
  calls.end()
}

function toObject(given: Given): Given {
  if (typeof given.value !== 'string' || !given.value.trimStart().startsWith('{')) return given
  const read = recoverExactly(given.value)
  return typeof read?.value === 'object' && read.value !== null ? read : given
}

/** Returns a string unchanged, and any other value as JSON. */
function toBare({ json, value }: Given): string {
  return typeof value === 'string' ? value : json
}
