import { defineTool } from '@x/tool-core'
import { Type } from 'typebox'
import { describe, expect, it, vi } from 'vitest'
import { hermes } from '../dialects/hermes.ts'
import { chatAdapter, type LMResponse, nativeAdapter, textAdapter } from '../index.ts'
import { defineSignature } from '../signature/define-signature.ts'
import { ToolCalls, Tools } from '../signature/tool-fields.ts'

const plan = defineSignature({
  instructions: '',
  inputs: { question: Type.String(), tools: Tools() },
  outputs: { reasoning: Type.String(), tool_calls: ToolCalls() },
})
const answer = defineSignature({ instructions: '', inputs: {}, outputs: { answer: Type.String() } })
const review = defineSignature({
  instructions: '',
  inputs: {},
  outputs: { summary: Type.String(), score: Type.Integer(), tags: Type.Optional(Type.Array(Type.String())) },
})

const say = (text: string, ...toolCalls: LMResponse['toolCalls'][number][]): LMResponse => ({ text, toolCalls })
const call = (name: string, text: string, id = name) => ({ id, name, arguments: text })

describe('undeclared properties of an output', () => {
  const order = Type.Object({ city: Type.String(), days: Type.Optional(Type.Integer()) })
  const booking = defineSignature({ instructions: '', inputs: {}, outputs: { order } })

  it('are refused if they were probably meant as declared ones, with their path', () => {
    const { errors } = nativeAdapter.parse(booking, say('{"city": "Rome", "dayz": 2}'))
    const message = 'The field "order" cannot be used: /dayz is not declared (did you mean "days"?).'
    expect(errors).toEqual([{ code: 'invalid_output', field: 'order', message }])
  })

  it('are removed otherwise', () => {
    const { outputs, errors } = nativeAdapter.parse(booking, say('{"city": "Rome", "note": "x"}'))
    expect([outputs, errors]).toEqual([{ order: { city: 'Rome' } }, []])
  })
})

describe('calls', () => {
  it('T4-6: are assigned to their field, and the text to the text field', () => {
    const { outputs, errors } = nativeAdapter.parse(plan, say('Look first.', call('search', '{"q":"tea"}', 'call_7')))
    expect(outputs).toEqual({ reasoning: 'Look first.', tool_calls: [{ id: 'call_7', name: 'search', args: { q: 'tea' } }] })
    expect(errors).toEqual([])
  })

  it('are plain objects of an id, a name and args', () => {
    const [parsed] = nativeAdapter.parse(plan, say('', call('search', '{"q":"tea"}'))).outputs.tool_calls
    expect([Object.getPrototypeOf(parsed), Object.getPrototypeOf(parsed?.args)]).toEqual([Object.prototype, Object.prototype])
    expect(JSON.parse(JSON.stringify(parsed))).toEqual(parsed)
    expect(Object.keys(parsed ?? {})).toEqual(['id', 'name', 'args'])
  })

  it('T4-7: need no text next to them', () => {
    for (const text of ['', ' \n']) {
      const { outputs, errors } = nativeAdapter.parse(plan, say(text, call('search', '{}')))
      expect(outputs).toEqual({ reasoning: '', tool_calls: [{ id: 'search', name: 'search', args: {} }] })
      expect(errors).toEqual([])
    }
  })

  it("T4-8: suppress errors of text that can't be parsed, whose fields are empty or omitted", () => {
    const signature = defineSignature({
      instructions: '',
      inputs: { tools: Tools() },
      outputs: { thought: Type.String(), score: Type.Integer(), tool_calls: ToolCalls() },
    })
    const { outputs, errors } = nativeAdapter.parse(signature, say('no markers here', call('search', '{}')))
    expect(outputs).toEqual({ thought: '', tool_calls: [{ id: 'search', name: 'search', args: {} }] })
    expect(errors).toEqual([])
  })

  it('are an empty list if the model made no calls', () => {
    const { outputs, errors } = nativeAdapter.parse(plan, say('Nothing to look up.'))
    expect(outputs).toEqual({ reasoning: 'Nothing to look up.', tool_calls: [] })
    expect(errors).toEqual([])
  })

  it("T4-10: don't change the outputs of a signature without a field for calls", () => {
    const { outputs, errors, response } = nativeAdapter.parse(answer, say('42', call('search', '{}')))
    expect(outputs).toEqual({ answer: '42' })
    expect(errors).toEqual([])
    expect(response.toolCalls).toHaveLength(1)
  })

  it("aren't an answer if the signature has no field for calls", () => {
    const { errors } = nativeAdapter.parse(answer, say('', call('search', '{}')))
    expect(errors).toEqual([expect.objectContaining({ code: 'empty_response', field: 'answer' })])
  })
})

describe('a malformed call', () => {
  it("T4-12: is reported with its name, id and raw text if its arguments can't be parsed", () => {
    const bad = call('search', '{bad json', 'call_1')
    const { outputs, errors } = nativeAdapter.parse(plan, say('', bad))
    expect(outputs.tool_calls).toEqual([])
    expect(errors).toEqual([expect.objectContaining({ code: 'invalid_tool_call_arguments', field: 'tool_calls', call: bad })])
    expect(errors[0]?.message).toContain('Invalid arguments for "search"')
  })

  it('T4-13: is reported if it has no name', () => {
    const { errors } = nativeAdapter.parse(plan, say('', call('', '{"q":1}')))
    expect(errors).toMatchObject([{ code: 'invalid_tool_call', field: 'tool_calls' }])
  })

  it("T4-13: doesn't affect the valid calls", () => {
    const calls = [call('a', '{"n":1}'), call('', '{}', 'x'), call('b', '[1]'), call('c', '')]
    const { outputs, errors } = nativeAdapter.parse(plan, say('', ...calls))
    expect(outputs.tool_calls.map(({ name, args }) => [name, args])).toEqual([
      ['a', { n: 1 }],
      ['c', {}],
    ])
    expect(errors.map(({ code }) => code)).toEqual(['invalid_tool_call', 'invalid_tool_call_arguments'])
  })

  it('is reported with the same object as in the response', () => {
    const { errors, response } = nativeAdapter.parse(plan, say('', call('a', '{'), call('b', '{}')))
    expect(errors[0]?.call).toBe(response.toolCalls[0])
  })

  it('is refused if it was truncated, even if its arguments can be parsed', () => {
    const { outputs, errors } = nativeAdapter.parse(plan, say('', { ...call('rm', '{"path":"/srv"}'), truncated: true }))
    expect(outputs.tool_calls).toEqual([])
    expect(errors[0]?.message).toContain('truncated')
  })

  it('is accepted with missing closing brackets only if the provider reported the reply as complete', () => {
    const open = call('rm', '{"path":"/srv"', 'call_1')
    for (const finishReason of [undefined, 'other', 'length'] as const)
      expect(nativeAdapter.parse(plan, { ...say('', open), finishReason }).outputs.tool_calls).toEqual([])
    const whole = nativeAdapter.parse(plan, { ...say('', open), finishReason: 'tool-calls' })
    expect(whole.outputs.tool_calls).toMatchObject([{ args: { path: '/srv' } }])
    expect(whole.recovered).toEqual([{ callId: 'call_1', tags: ['missing_close'] }])
  })

  it('is only the last one in a truncated reply', () => {
    const calls = [call('a', '{"n":1}'), call('b', '{"n":2}')]
    const { outputs, errors } = nativeAdapter.parse(plan, { ...say('', ...calls), finishReason: 'length' })
    expect(outputs.tool_calls.map(({ name }) => name)).toEqual(['a'])
    expect(errors).toMatchObject([{ code: 'invalid_tool_call_arguments', call: { name: 'b' } }])
  })

  it('reports a truncated reply with its limit', () => {
    const cut = { finishReason: 'length', usage: { outputTokens: 64_000 } } as const
    const { errors } = nativeAdapter.parse(plan, { ...say('', call('a', '{"n":"on and')), ...cut })
    expect(errors[0]?.message).toContain('The reply was truncated at its length limit of 64000 tokens. Invalid arguments for "a"')
    expect(nativeAdapter.parse(plan, { ...say('On and'), ...cut }).errors[0]?.message).toContain('limit of 64000 tokens.')
  })

  it('is reported with its repairs, and nothing is reported without repairs', () => {
    const { recovered } = nativeAdapter.parse(plan, say('', call('a', "{'n':1,}", 'call_1'), call('b', '{}', 'call_2')))
    expect(recovered).toEqual([{ callId: 'call_1', tags: ['single_quotes', 'trailing_comma'] }])
    expect(nativeAdapter.parse(plan, say('', call('a', '{}')))).not.toHaveProperty('recovered')
  })

  it('is refused if a key could change a prototype', () => {
    const { outputs, errors } = nativeAdapter.parse(plan, say('', call('a', '{"__proto__":{"isAdmin":true}}')))
    expect(outputs.tool_calls).toEqual([])
    expect(errors).toHaveLength(1)
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined()
  })
})

describe('a single text output', () => {
  it('is the whole text, trimmed', () => {
    expect(nativeAdapter.parse(answer, say(' It is warm.\n')).outputs).toEqual({ answer: 'It is warm.' })
  })

  it('may also be written under its marker', () => {
    expect(nativeAdapter.parse(answer, say('Hm.\n[[ ## answer ## ]]\nWarm.')).outputs).toEqual({ answer: 'Warm.' })
  })

  it('keeps a marker with another name as text', () => {
    const text = '[[ ## other ## ]]\nx'
    expect(nativeAdapter.parse(answer, say(text)).outputs).toEqual({ answer: text })
  })
})

describe('several outputs', () => {
  it('are read from under their markers, with other values than strings as JSON', () => {
    const text =
      '[[ ## summary ## ]]\nGood tea.\n\nReally.\n[[ ## score ## ]] 5\n[[ ## tags ## ]]\n["tea"]\n[[ ## completed ## ]]'
    const { outputs, errors } = nativeAdapter.parse(review, say(text))
    expect(outputs).toEqual({ summary: 'Good tea.\n\nReally.', score: 5, tags: ['tea'] })
    expect(errors).toEqual([])
  })

  it('are read from lines that end in CRLF', () => {
    const text = '[[ ## summary ## ]]\r\nGood.\r\n[[ ## score ## ]]\r\n5\r\n'
    expect(nativeAdapter.parse(review, say(text)).outputs).toEqual({ summary: 'Good.', score: 5 })
  })

  it("may have names that aren't identifiers", () => {
    const signature = defineSignature({
      instructions: '',
      inputs: {},
      outputs: { 'short-title': Type.String(), 'größe in cm': Type.Integer() },
    })
    const text = '[[ ## short-title ## ]]\nTea\n[[ ## größe in cm ## ]]\n12'
    expect(nativeAdapter.parse(signature, say(text)).outputs).toEqual({ 'short-title': 'Tea', 'größe in cm': 12 })
  })

  it('T4-11: are reported by name if they are missing', () => {
    const { outputs, errors } = nativeAdapter.parse(review, say('[[ ## summary ## ]]\nGood.'))
    expect(outputs).toEqual({ summary: 'Good.' })
    expect(errors).toMatchObject([{ code: 'missing_output', field: 'score' }])
    expect(errors[0]?.message).toContain('[[ ## score ## ]]')
  })

  it('are all reported as missing if there are no markers', () => {
    const { errors } = nativeAdapter.parse(review, say('Good tea, five points.'))
    expect(errors.map(({ code, field }) => [code, field])).toEqual([
      ['missing_output', 'summary'],
      ['missing_output', 'score'],
    ])
  })

  it('may be omitted or empty if they are optional', () => {
    const text = '[[ ## summary ## ]]\nGood.\n[[ ## score ## ]]\n5\n[[ ## tags ## ]]\n'
    expect(nativeAdapter.parse(review, say(text)).errors).toEqual([])
  })

  it("are reported by name if a value isn't valid JSON, and the others are kept", () => {
    const { outputs, errors } = nativeAdapter.parse(review, say('[[ ## summary ## ]]\nGood.\n[[ ## score ## ]]\nfive'))
    expect(outputs).toEqual({ summary: 'Good.' })
    expect(errors).toMatchObject([{ code: 'invalid_output', field: 'score' }])
  })

  it('use the first of two sections with the same name', () => {
    const text = '[[ ## summary ## ]]\na\n[[ ## score ## ]]\n1\n[[ ## score ## ]]\n2'
    expect(nativeAdapter.parse(review, say(text)).outputs).toMatchObject({ score: 1 })
  })

  it('are refused if a value is nested too deeply', () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000)
    const { outputs, errors } = nativeAdapter.parse(review, say(`[[ ## summary ## ]]\nx\n[[ ## score ## ]]\n${deep}`))
    expect(outputs).toEqual({ summary: 'x' })
    expect(errors).toMatchObject([{ code: 'invalid_output', field: 'score' }])
  })
})

describe('an optional output', () => {
  const visit = defineSignature(`visit -> note: string, mood?: 'good' | 'bad', stars?: integer`)

  it.each([nativeAdapter, chatAdapter, textAdapter(hermes)])('is described as optional by $name', (adapter) => {
    const [system] = adapter.format(visit, { visit: 'Fine tea.' }).messages
    expect(system?.content).toContain('[[ ## note ## ]]\n(string)\n')
    expect(system?.content).toContain('[[ ## mood ## ]]\n(good | bad, optional)')
    expect(system?.content).toContain('[[ ## stars ## ]]\n(integer, optional)')
  })

  it('may be null, also if it is one of several strings', () => {
    const text = '[[ ## note ## ]]\nnull\n[[ ## mood ## ]]\nnull\n[[ ## stars ## ]]\nnull'
    const { outputs, errors, recoveredFields } = nativeAdapter.parse(visit, say(text))
    expect([outputs, errors]).toEqual([{ note: 'null' }, []])
    expect(recoveredFields).toEqual(['mood', 'stars'].map((field) => ({ field, tags: ['null_dropped'] })))
  })
})

describe('an output that is one of several strings', () => {
  const mood = defineSignature({ instructions: '', inputs: {}, outputs: { mood: Type.Enum(['good', 'bad']) } })

  it('is accepted as plain text or as a JSON string', () => {
    for (const text of ['good', ' "good" ', '[[ ## mood ## ]]\ngood']) {
      expect(nativeAdapter.parse(mood, say(text)).outputs).toEqual({ mood: 'good' })
    }
  })

  it('is also accepted for a union of literals', () => {
    const schema = Type.Union([Type.Literal('good'), Type.Literal('bad')])
    const signature = defineSignature({ instructions: '', inputs: {}, outputs: { mood: schema } })
    expect(nativeAdapter.parse(signature, say('bad')).outputs).toEqual({ mood: 'bad' })
  })

  it("is reported with the choices if its value isn't one of them", () => {
    const { outputs, errors } = nativeAdapter.parse(mood, say('fine'))
    expect(outputs).toEqual({})
    expect(errors).toMatchObject([{ code: 'invalid_output', field: 'mood' }])
    expect(errors[0]?.message).toContain('good, bad')
  })
})

describe('an empty reply', () => {
  it('T4-9: is reported as an error of the first field', () => {
    for (const signature of [answer, review, plan]) {
      const field = Object.keys(signature.outputs)[0]
      expect(nativeAdapter.parse(signature, say(' \n')).errors).toMatchObject([{ code: 'empty_response', field }])
    }
  })
})

describe('parse', () => {
  const execute = vi.fn(() => 'deleted')
  const tool = defineTool({ name: 'delete_all', description: 'Deletes.', args: Type.Object({}), execute })

  it('T4-24: returns an equal result twice, and executes nothing', () => {
    const responses = [
      say('go', call('delete_all', '{}')),
      say('<tool_call>{"name":"delete_all"}</tool_call>'),
      say('', call('', '')),
    ]
    for (const adapter of [nativeAdapter, textAdapter(hermes)]) {
      adapter.format(plan, { question: 'q', tools: [tool] })
      for (const response of responses) expect(adapter.parse(plan, response)).toEqual(adapter.parse(plan, response))
    }
    expect(execute).not.toHaveBeenCalled()
  })

  it("doesn't change the response, and accepts a frozen one", () => {
    const response = Object.freeze(say('x', Object.freeze(call('a', '{"n":1}'))))
    const before = structuredClone(response)
    nativeAdapter.parse(plan, response)
    expect(response).toEqual(before)
  })
})
