/** Tests that calls with a broken or missing open marker, which start no block, are reported, and that prose about markers isn't. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { allDialects } from '../../test/dialects/dialects.ts'
import { parseArguments } from '../arguments/parse.ts'
import { readPieces } from '../testing/dialect-checks/reading.ts'
import { deepseekV4 } from './deepseek-v4.ts'
import type { Dialect } from './define/dialect.ts'
import { firefunction } from './firefunction.ts'
import { functionaryV32 } from './functionary-v32.ts'
import { genericJson } from './generic-json.ts'
import { glm45 } from './glm45.ts'
import { granite } from './granite.ts'
import { granite20bFc } from './granite-20b-fc.ts'
import { harmony } from './harmony.ts'
import { hermes } from './hermes.ts'
import { kimiK3 } from './kimi-k3.ts'
import { llama3Json } from './llama3-json.ts'
import { minimaxM2 } from './minimax-m2.ts'
import { minimaxM3 } from './minimax-m3.ts'
import { mistral } from './mistral.ts'
import { olmo3 } from './olmo3.ts'
import { phi4mini } from './phi4mini.ts'
import { qwen3Coder } from './qwen3-coder.ts'
import { reactText } from './react-text.ts'
import { seedOss } from './seed-oss.ts'
import { step3 } from './step3.ts'
import { xlam } from './xlam.ts'

const toSpec = (name: string, key: string) => ({
  type: 'function' as const,
  function: {
    name,
    description: name,
    parameters: { type: 'object' as const, properties: { [key]: { type: 'string' }, count: { type: 'integer' } } },
  },
})
const tools = [toSpec('tool_7', 'city'), toSpec('tool_9', 'zone')]
const FIRST = { id: 'functions.tool_7:0', name: 'tool_7', arguments: '{"city": "alphaville", "count": 11}' }
const SECOND = { id: 'functions.tool_9:1', name: 'tool_9', arguments: '{"zone": "betatown", "count": 22}' }
const CALL = '{"name": "tool_7", "arguments": {"city": "Oslo"}}'

const named = <Row extends readonly [Dialect, ...unknown[]]>(rows: readonly Row[]) =>
  rows.map((row): [string, ...Row] => [row[0].name, ...row])

/** Dialects whose calls have no marker, or can't be recognized without the end of the marker. The rows below cover them. */
const WITHOUT_MARKER = new Set(['dspy_chatadapter', 'generic_json', 'granite', 'granite_20b_fc', 'harmony', 'llama3_json'])
for (const name of ['minimax', 'morph_xml', 'phi4mini', 'firefunction', 'pythonic', 'xlam']) WITHOUT_MARKER.add(name)

const written = allDialects.flatMap((dialect) => {
  const formatted = dialect.formatCalls([FIRST])
  return formatted.ok && !WITHOUT_MARKER.has(dialect.name) ? [{ name: dialect.name, dialect, text: formatted.text }] : []
})

describe.each(written)('$name', ({ dialect, text }) => {
  it('parses or reports a call without up to three characters before its name', () => {
    const end = text.indexOf(FIRST.name)
    for (let at = 0; at < end; at++)
      for (const lost of [1, 2, 3]) {
        const broken = text.slice(0, at) + text.slice(Math.min(end, at + lost))
        const reading = dialect.parse(broken, { tools })
        // A line that starts with > is a quotation.
        const isSeen = reading.toolCalls.length > 0 || reading.malformedCalls !== undefined || broken.startsWith('>')
        expect(isSeen ? '' : broken).toBe('')
        const { text: streamed, malformedCalls } = readPieces(dialect, broken.split(''), { tools })
        expect([streamed.trim(), malformedCalls]).toEqual([reading.text, reading.malformedCalls])
      }
  })
})

describe('a call with a broken opener is reported', () => {
  it.each(
    named([
      [hermes, `tool_call>\n${CALL}\n</tool_call>`],
      [hermes, `${CALL}\n</tool_call>`],
      [hermes, `<toolcall>${CALL}</toolcall>`],
      [hermes, `<tools>\n${CALL}\n</tools>`],
      [hermes, `<tool_call>tool_7\n{"city": "Oslo"}</tool_call>`],
      [glm45, 'tool_7\n<arg_key>city</arg_key>\n<arg_value>Oslo</arg_value>\n</tool_call>'],
      [qwen3Coder, 'function=tool_7>\n<parameter=city>\nOslo\n</parameter>\n</function>'],
      [minimaxM2, '<invoke name="tool_7">\n<parameter name="city">Oslo</parameter>\n</invoke>'],
      [olmo3, 'function_calls>tool_7(city="Oslo")</function_calls>'],
      [mistral, 'tool_7[ARGS]{"city": "Oslo"}'],
      [mistral, `TOOL_CALLS] [${CALL}]`],
      [mistral, `[TOOL_CALLS [${CALL}]`],
      [phi4mini, `functool[${CALL}]`],
      [firefunction, ` functool{"name": "tool_7", "arguments": {"city": "Oslo"}}]`],
      [granite, `tool_call|>[${CALL}]`],
      [granite, `<|tool_cal|>[${CALL}]`],
      [granite20bFc, `<functioncall> ${CALL}`],
      [llama3Json, '"name": "tool_7", "parameters": {"city": "Oslo"}}'],
      [llama3Json, '<|python_tag|>tool_7(city="Oslo")'],
      [genericJson, '"name": "tool_7", "arguments": {"city": "Oslo"}}'],
      [xlam, '"name": "tool_7", "arguments": {"city": "Oslo"}}]'],
      [functionaryV32, '>>tool_7\n{"city": "Oslo"}'],
      [harmony, '<|channel|>commentary to=functions.tool_7 <|constrain|>json{"city": "Oslo"}<|call|>'],
      [harmony, 'analysisHm.assistantcommentary to=functions.tool_7 json{"city": "Oslo"}'],
      [harmony, '<|channel|>commentato=functions.tool_7 <|constrain|>json<|message|>{"city": "Oslo"}<|call|>'],
      [reactText, 'Action tool_7\nAction Input: {"city": "Oslo"}'],
      [reactText, 'Thought: I look.\nAction Input: {"city": "Oslo"}'],
    ]),
  )('%s (%#)', (_, dialect, text) => {
    const { toolCalls, malformedCalls } = dialect.parse(text, { tools })
    expect(toolCalls).toEqual([])
    expect(malformedCalls).toHaveLength(1)
  })

  it('once, and the call after it is parsed', () => {
    const second = '<tool_call>{"name": "tool_9", "arguments": {"zone": "Rome"}}</tool_call>'
    expect(hermes.parse(`tool_call>\n${CALL}\n</tool_call>\n${second}\nDone.`, { tools })).toMatchObject({
      toolCalls: [{ name: 'tool_9' }],
      malformedCalls: [`tool_call>\n${CALL}\n</tool_call>`],
    })
  })
})

describe("text that mentions a marker in prose isn't reported", () => {
  it.each(
    named([
      [hermes, 'The tag </tool_call> ends a call, and </tools> ends the list.'],
      [hermes, `Quoted: \`${CALL}</tool_call>\`.`],
      [hermes, `\`\`\`\n${CALL}\n</tool_call>\n\`\`\``],
      [hermes, `${CALL} is the call.`],
      [qwen3Coder, 'Close it with </function> and </parameter>.'],
      [glm45, 'Between <arg_key> and </arg_key> is the key (see above).'],
      [mistral, 'Use argv[ARGS] and [{"name": "tool_7", "description": "x"}].'],
      [mistral, `[{"name": "unknown", "arguments": {}}]`],
      [granite, '[{"name": "tool_7", "description": "x"}]'],
      [phi4mini, 'from functools import reduce; functools.reduce([{"a": 1}])'],
      [llama3Json, '"name": "Oslo" is a member.'],
      [functionaryV32, '>> tool_7\nis quoted'],
      [harmony, 'Send it to=functions.tool_7 json please.'],
      [step3, 'The docs (of fn()) name a function and a parameter.'],
      [reactText, 'Final Answer: the Action Input: line has the arguments.'],
    ]),
  )('%s (%#)', (_, dialect, text) => {
    const { toolCalls, malformedCalls } = dialect.parse(text, { tools })
    expect([toolCalls, malformedCalls]).toEqual([[], undefined])
  })

  it('and neither is an extra end marker after a call', () => {
    expect(hermes.parse(`<tool_call>${CALL}</tool_call>\n</tool_call></tool_call>`, { tools }).malformedCalls).toBeUndefined()
  })
})

describe('a call whose value contains the rest of a tag is malformed', () => {
  it.each(
    named([
      [
        qwen3Coder,
        '<tool_call><function=tool_7><parameter=city>\nOslo\n</parameter>\nparameter=count>\n3\n</parameter></function></tool_call>',
      ],
      [
        seedOss,
        '<seed:tool_call><function=tool_7><parameter=city>Oslo parameter=count>3</parameter></function></seed:tool_call>',
      ],
      [glm45, '<tool_call>tool_7\n<arg_key>city</arg_key>\narg_value>Oslo</arg_value>\n</tool_call>'],
      [glm45, '<tool_call>tool_7\n<arg_key>city</arg_key>\n<arg_value>count</arg_key>\n<arg_value>3</arg_value>\n</tool_call>'],
      [
        minimaxM2,
        '<minimax:tool_call><invoke name="tool_7"><parameter name="city">parameter name="count">3</parameter></invoke></minimax:tool_call>',
      ],
      [
        deepseekV4,
        '<｜DSML｜tool_calls><｜DSML｜invoke name="tool_7"><｜DSML｜parameter name="city" string="true">Oslo</DSML>\n</｜DSML｜invoke></｜DSML｜tool_calls>',
      ],
      [
        minimaxM3,
        ']<]minimax[>[<tool_call>]<]minimax[>[<invoke name="tool_7">]<]minimax[>[<city>Oslo]<]minimax[>[<count>3]<]minimax[>[</count>]<]minimax[>[</invoke>]<]minimax[>[</tool_call>',
      ],
      [minimaxM2, '<minimax:tool_call><invoke name="tool_7" city="Oslo"></invoke></minimax:tool_call>'],
    ]),
  )('%s (%#)', (_, dialect, text) => {
    const { toolCalls, malformedCalls } = dialect.parse(text, { tools })
    expect(toolCalls).toEqual([])
    expect(malformedCalls).toHaveLength(1)
  })
})

describe('a value without a close tag ends before the line break of the next tag', () => {
  it.each(
    named([
      [qwen3Coder, '<tool_call>\n<function=tool_7>\n<parameter=city>\nOslo\n</function>\n</tool_call>'],
      [seedOss, '<seed:tool_call>\n<function=tool_7>\n<parameter=city>Oslo\n</function>\n</seed:tool_call>'],
      [minimaxM2, '<minimax:tool_call>\n<invoke name="tool_7">\n<parameter name="city">Oslo\n</invoke>\n</minimax:tool_call>'],
      [
        deepseekV4,
        '<｜DSML｜tool_calls>\n<｜DSML｜invoke name="tool_7">\n<｜DSML｜parameter name="city" string="true">Oslo\n  </｜DSML｜invoke>\n</｜DSML｜tool_calls>',
      ],
    ]),
  )('%s', (_, dialect, text) => {
    expect(dialect.parse(text, { tools }).toolCalls).toMatchObject([{ arguments: '{"city": "Oslo"}', tags: ['repaired'] }])
  })
})

it('removing up to 45 characters neither merges two calls of Kimi K3 nor leaves a tag in a value', () => {
  const both = kimiK3.formatCalls([FIRST, SECOND])
  const text = both.ok ? both.text : ''
  const numRuns = process.env.X_FULL ? 1_000 : 100
  fc.assert(
    fc.property(fc.nat({ max: text.length }), fc.integer({ min: 1, max: 45 }), (at, lost) => {
      for (const call of kimiK3.parse(text.slice(0, at) + text.slice(at + lost), { tools }).toolCalls) {
        const parsed = parseArguments(call.arguments)
        if (call.truncated || !parsed.ok || call.tags?.includes('unknown_tool')) continue
        expect(call.arguments).not.toMatch(/[<|>]|key=/)
        expect(call.arguments).not.toContain(call.name === FIRST.name ? 'beta' : 'alpha')
      }
    }),
    { numRuns },
  )
})
