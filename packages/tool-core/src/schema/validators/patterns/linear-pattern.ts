/**
 * Compiles a pattern for RE2, which takes linear time, by converting its JavaScript syntax tree to RE2 syntax. The pattern reads code
 * points, as with the flag `u`. Unicode properties come from RE2's tables.
 */
import type { RE2JS } from 're2js'

export interface LinearPattern {
  test(text: string): boolean
}

export interface CompiledPattern extends LinearPattern {
  /** Upper bound on the steps for each character of a string. It's estimated from the pattern's repetitions. */
  readonly effort: number
}

/** Thrown for syntax that RE2 doesn't support. `message` names the syntax: `lookaheads after a part of variable length`. */
export class UnsupportedSyntax extends Error {}

/**
 * The part of regjsparser's syntax tree that is used. The parser's own types would take 10% of the compile time of a program with one tool.
 */
export type PatternNode =
  | { readonly type: 'alternative' | 'disjunction'; readonly body: readonly PatternNode[] }
  | { readonly type: 'group'; readonly behavior: string; readonly body: readonly PatternNode[]; readonly name?: GroupName }
  | { readonly type: 'quantifier'; readonly body: readonly PatternNode[]; readonly min: number; readonly max?: number }
  | { readonly type: 'anchor'; readonly kind: 'start' | 'end' | 'boundary' | 'not-boundary' }
  | { readonly type: 'dot' }
  | { readonly type: 'reference'; readonly matchIndex?: number; readonly name?: GroupName }
  | { readonly type: 'characterClass'; readonly body: readonly ClassMember[]; readonly negative: boolean }
  | ClassMember
interface GroupName {
  readonly value: string
}
type ClassMember =
  | { readonly type: 'value'; readonly codePoint: number }
  | {
      readonly type: 'characterClassRange'
      readonly min: { readonly codePoint: number }
      readonly max: { readonly codePoint: number }
    }
  | { readonly type: 'characterClassEscape'; readonly value: keyof typeof CLASSES }
  | { readonly type: 'unicodePropertyEscape'; readonly value: string; readonly negative: boolean }

export type ReadPattern = (source: string, flags: string, features: object) => PatternNode

type Node = PatternNode
type Engine = Pick<typeof RE2JS, 'compile' | 'LOOKBEHINDS'>

/** Syntax that the parser accepts only if these options are set. */
export const SYNTAX = { lookbehind: true, namedGroups: true, unicodePropertyEscape: true }

export function compileLinear({ source, unicode }: RegExp, read: ReadPattern, engine: Engine): CompiledPattern {
  const tree = orUnsupported('some of its syntax', () => read(source, unicode ? 'u' : '', SYNTAX))
  const { conditions, rest } = splitConditions(tree)
  const compile = (nodes: readonly Node[]) => {
    const text = nodes.map(write).join('')
    return orUnsupported('some of its repetitions or properties', () => engine.compile(text, engine.LOOKBEHINDS))
  }
  const main = compile(rest)
  const asked = conditions.map(({ nodes, isNegative }) => ({ pattern: compile(nodes), isNegative }))
  return {
    test: (text) => main.test(text) && asked.every(({ pattern, isNegative }) => pattern.test(text) !== isNegative),
    effort: [rest, ...conditions.map(({ nodes }) => nodes)].reduce((sum, nodes) => sum + effortOf(nodes), 0),
  }
}

/**
 * Estimates the steps per character. RE2 normally uses a table of states. If the pattern has a lookbehind, or if the table may overflow,
 * RE2 tries each part at each position instead. The table overflows if many parts of a pattern match several characters: `[ab]*a[ab]{20}`
 * has a million states.
 */
function effortOf(nodes: readonly Node[]): number {
  const isOpen = (node: Node) => OPEN.has(node.type)
  if (nodes.some(looksBehind)) return 10 + 2 * sizeOf(nodes, true)
  return sizeOf(nodes, true, isOpen) > FEW_OPEN
    ? 200 + 2 * sizeOf(nodes, true)
    : 3 + 2 * (sizeOf(nodes, true) - sizeOf(nodes, false))
}

const FEW_OPEN = 12
/** Nodes that can match several different characters. */
const OPEN: ReadonlySet<Node['type']> = new Set([
  'characterClass',
  'characterClassEscape',
  'disjunction',
  'dot',
  'unicodePropertyEscape',
])

function sizeOf(nodes: readonly Node[], isRepeated: boolean, counts: (node: Node) => boolean = () => true): number {
  return nodes.reduce((sum, node) => {
    const own = counts(node) ? 1 : 0
    if (!('body' in node) || node.type === 'characterClass') return sum + own
    const times = isRepeated && node.type === 'quantifier' ? Math.max(1, node.min, node.max ?? 1) : 1
    return sum + own + times * sizeOf(node.body, isRepeated, counts)
  }, 0)
}

function looksBehind(node: Node): boolean {
  if (!('body' in node) || node.type === 'characterClass') return false
  return (node.type === 'group' && node.behavior.endsWith('ookbehind')) || node.body.some(looksBehind)
}

function orUnsupported<T>(what: string, read: () => T): T {
  try {
    return read()
  } catch (cause) {
    throw new UnsupportedSyntax(what, { cause })
  }
}

interface Condition {
  readonly nodes: readonly Node[]
  readonly isNegative: boolean
}

/**
 * Turns lookaheads at a known position into separate conditions on the whole text: `^(?=.*\d)\w+$` becomes `^.*\d` and `^\w+$`. A position
 * is known if only `^` and parts that match exactly one character precede it.
 */
function splitConditions(root: Node): { readonly conditions: readonly Condition[]; readonly rest: readonly Node[] } {
  const nodes = root.type === 'alternative' ? root.body : [root]
  const conditions: Condition[] = []
  const before: Node[] = []
  if (nodes[0]?.type !== 'anchor' || nodes[0].kind !== 'start') return { conditions, rest: nodes }
  for (const [index, node] of nodes.entries()) {
    if (isLookahead(node))
      conditions.push({ nodes: [...before, sealed(node)], isNegative: node.behavior === 'negativeLookahead' })
    else if (SINGLE.has(node.type)) before.push(node)
    else return { conditions, rest: [...before, ...nodes.slice(index)] }
  }
  return { conditions, rest: before }
}

const SINGLE: ReadonlySet<Node['type']> = new Set([
  'anchor',
  'characterClass',
  'characterClassEscape',
  'dot',
  'unicodePropertyEscape',
  'value',
])

type Lookahead = Extract<Node, { type: 'group' }> & { behavior: 'lookahead' | 'negativeLookahead' }

function isLookahead(node: Node): node is Lookahead {
  return node.type === 'group' && (node.behavior === 'lookahead' || node.behavior === 'negativeLookahead')
}

function sealed(node: Lookahead): Node {
  return { ...node, behavior: 'ignore' }
}

function write(node: Node): string {
  switch (node.type) {
    case 'alternative':
      return node.body.map(write).join('')
    case 'disjunction':
      return `(?:${node.body.map(write).join('|')})`
    case 'group':
      if (isLookahead(node)) throw new UnsupportedSyntax('lookaheads after a part of variable length')
      if (node.behavior === 'lookbehind') return `(?<=${node.body.map(write).join('')})`
      if (node.behavior === 'negativeLookbehind') return `(?<!${node.body.map(write).join('')})`
      return group(node.body)
    case 'quantifier':
      return `${group(node.body)}{${node.min},${node.max ?? ''}}`
    case 'anchor':
      return ANCHORS[node.kind]
    case 'dot':
      return `[^${LINE_ENDS}]`
    case 'characterClass':
      return writeClass(node.body, node.negative)
    case 'characterClassEscape':
    case 'unicodePropertyEscape':
    case 'value':
      return writeClass([node], false)
    default:
      throw new UnsupportedSyntax('back-references')
  }
}

function group(body: readonly Node[]): string {
  return `(?:${body.map(write).join('')})`
}

const ANCHORS = { start: '^', end: '$', boundary: '\\b', 'not-boundary': '\\B' }

function writeClass(body: readonly ClassMember[], isNegative: boolean): string {
  if (body.length === 0) return isNegative ? `[${ANY}]` : `[^${ANY}]`
  return `[${isNegative ? '^' : ''}${body.map(writeMember).join('')}]`
}

function writeMember(node: ClassMember): string {
  switch (node.type) {
    case 'value':
      return character(node.codePoint)
    case 'characterClassRange':
      return `${character(node.min.codePoint)}-${character(node.max.codePoint)}`
    case 'characterClassEscape':
      return CLASSES[node.value]
    case 'unicodePropertyEscape':
      return `\\${node.negative ? 'P' : 'p'}{${propertyName(node.value)}}`
  }
}

/** Returns the short name of a Unicode category, because RE2 doesn't accept long names. */
function propertyName(value: string): string {
  const name = value.replace(/^(?:General_Category|gc|Script|sc)=/, '')
  return CATEGORIES.get(name) ?? name
}

const CATEGORIES: ReadonlyMap<string, string> = new Map<string, string>(
  Object.entries({
    ...{ Letter: 'L', Cased_Letter: 'LC', Uppercase_Letter: 'Lu', Lowercase_Letter: 'Ll', Titlecase_Letter: 'Lt' },
    ...{ Modifier_Letter: 'Lm', Other_Letter: 'Lo', Mark: 'M', Nonspacing_Mark: 'Mn', Spacing_Mark: 'Mc', Enclosing_Mark: 'Me' },
    ...{ Number: 'N', Decimal_Number: 'Nd', Letter_Number: 'Nl', Other_Number: 'No', Punctuation: 'P' },
    ...{ Connector_Punctuation: 'Pc', Dash_Punctuation: 'Pd', Open_Punctuation: 'Ps', Close_Punctuation: 'Pe' },
    ...{ Initial_Punctuation: 'Pi', Final_Punctuation: 'Pf', Other_Punctuation: 'Po', Symbol: 'S', Math_Symbol: 'Sm' },
    ...{ Currency_Symbol: 'Sc', Modifier_Symbol: 'Sk', Other_Symbol: 'So', Separator: 'Z', Space_Separator: 'Zs' },
    ...{ Line_Separator: 'Zl', Paragraph_Separator: 'Zp', Control: 'Cc', Format: 'Cf', Private_Use: 'Co' },
  }),
)

function character(codePoint: number): string {
  if (codePoint >= 0xd800 && codePoint < 0xe000) throw new UnsupportedSyntax('lone surrogates')
  return `\\x{${codePoint.toString(16)}}`
}

const ANY = '\\x{0}-\\x{10ffff}'
const LINE_ENDS = '\\n\\r\\x{2028}\\x{2029}'
/** White space in JavaScript. RE2's `\s` matches only ASCII. */
const SPACES = [[0x9, 0xd], [0x20], [0xa0], [0x1680], [0x2000, 0x200a], [0x2028, 0x2029], [0x202f], [0x205f], [0x3000], [0xfeff]]
const CLASSES = {
  ...{ d: '\\d', D: '\\D', w: '\\w', W: '\\W' },
  s: SPACES.map(([from = 0, to = from]) => `${character(from)}-${character(to)}`).join(''),
  S:
    SPACES.map(([from = 0], index) => `${character((SPACES[index - 1]?.at(-1) ?? -1) + 1)}-${character(from - 1)}`).join('') +
    `${character(0xff00)}-${character(0x10ffff)}`,
}
