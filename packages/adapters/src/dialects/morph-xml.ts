/** `<TOOL><KEY>VALUE</KEY></TOOL>`, for models without a format of their own. Reads only calls to declared tools. */
import { isRecord } from '../is-record.ts'
import { lazyDialect, THINK_TAGS } from './define/define-dialect.ts'
import { ALL_CONTROL_TOKENS } from './define/own-dialect.ts'
import { toResultText } from './define/prompt.ts'
import { type ExactJson, recoverExactly } from './engine/exact-json.ts'
import { escapeText, readElements } from './families/elements/element-arguments.ts'
import { type BodyReader, formatElements, toolElements, withoutTags } from './families/elements/tool-elements.ts'
import { withoutFence } from './families/json/code-fence.ts'

export const morphXml = lazyDialect({ name: 'morph_xml' }, () => ({
  controlTokens: ALL_CONTROL_TOKENS,
  reasoning: THINK_TAGS,
  policy: { malformedBlock: 'text', repeatedParameter: 'list' },
  blocks: [],
  blocksFor: (names) => toolElements(names, { readBody, nests: true }),
  formatCalls: (calls) => formatElements(calls, formatArguments),
  formatResult: (observation) => toResultText({ ...observation, text: withoutTags(observation.text) }),
}))

/** Reads the arguments as elements, or as one JSON object. */
const readBody: BodyReader = (body, schema, repeated) => {
  const text = withoutFence(body)
  const read = text.trimStart().startsWith('{') ? recoverExactly(text) : undefined
  return isRecord(read?.value)
    ? { json: (read as ExactJson).json.trim(), isCoerced: false }
    : readElements(body, schema, repeated)
}

/** Writes objects and lists as JSON. */
function formatArguments(args: Readonly<Record<string, unknown>>): string {
  return Object.entries(args)
    .map(([key, value]) => `\n<${key}>${escapeText(typeof value === 'string' ? value : JSON.stringify(value))}</${key}>`)
    .join('')
}
