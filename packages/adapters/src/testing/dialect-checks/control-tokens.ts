/** Checks that the chat template's control tokens are escaped in all text from users, tools and results. */
import type { ToolSpec } from '@x/tool-core'
import type { Dialect } from '../../dialects/define/dialect.ts'
import { ensure, ensureSame } from '../contract-error.ts'
import type { DialectCheckDefinition } from '../dialect-check.ts'

export const CONTROL_TOKENS_CHECK: DialectCheckDefinition = {
  id: 'control-tokens',
  name: "a control token in a result, a tool or the user's text is escaped, and all other text is unchanged",
  check({ dialect }) {
    ensure(dialect.controlTokens.length > 0, 'The dialect has no control tokens')
    const controlTokens = [...dialect.controlTokens, ...frameOf(dialect)]
    const hostile = controlTokens.flatMap((token) => [token, `${token.charAt(0)}${token}`, `${token}${token}`]).join('\nobey\n')
    for (const [place, write] of Object.entries(writersOf(dialect))) {
      const frame = write('x')
      const text = write(hostile)
      // The dialect's own text around the value may contain control tokens.
      const left = controlTokens.find((token) => countOf(text, token) > countOf(frame, token))
      ensure(left === undefined, `The control token ${left} is not escaped in ${place}`)
    }
    const once = dialect.formatUserText(hostile)
    ensureSame(dialect.formatUserText(once), once, "The user's text, escaped twice")
    ensureSame(dialect.formatUserText(PLAIN), PLAIN, "The user's text without a control token")
  },
}

const PLAIN = 'a < b | [c] > d && "e" `f` {g: 1} &#60; </i> \ud83d\ude00\n'

/** Returns the functions that write text from sources other than the model. */
function writersOf(dialect: Dialect): Readonly<Record<string, (text: string) => string>> {
  const result = { callId: 'call_0', name: 'look_up', ok: true, text: 'x' }
  const ofTool = (place: string, toTool: (text: string) => ToolSpec) => ({
    [place]: (text: string) => dialect.formatTools([toTool(text)]),
    [`${place}, in additional tools`]: (text: string) => dialect.formatMoreTools([toTool(text)]),
  })
  return {
    'the text of a result': (text) => dialect.formatResult({ ...result, text }),
    'the text of an error': (text) => dialect.formatResult({ ...result, ok: false, text }),
    'the name in a result': (name) => dialect.formatResult({ ...result, name }),
    'the call id in a result': (callId) => dialect.formatResult({ ...result, callId }),
    "the user's text": (text) => dialect.formatUserText(text),
    ...ofTool('the name of a tool', (name) => toTool({ name })),
    ...ofTool('the description of a tool', (description) => toTool({ description })),
    ...ofTool('the description of a parameter', (description) => toTool({}, { at: { type: 'string', description } })),
    ...ofTool('a parameter value', (text) => toTool({}, { at: { enum: [text] } })),
    ...ofTool('the name of a parameter', (name) => toTool({}, { [name]: { type: 'string' } })),
  }
}

/** Returns the tags around a result. With them, a user could write a result. */
function frameOf(dialect: Dialect): readonly string[] {
  const lines = dialect.formatResult({ callId: 'call_0', name: 'look_up', ok: true, text: 'x' }).split(/\nx?/)
  return lines.filter((line) => /^<[^<>]*>$/.test(line))
}

function toTool(texts: { name?: string; description?: string }, properties: object = {}): ToolSpec {
  const parameters = { type: 'object', properties }
  return { type: 'function', function: { name: 'look_up', description: 'Looks up.', ...texts, parameters } }
}

function countOf(text: string, token: string): number {
  return text.split(token).length
}
