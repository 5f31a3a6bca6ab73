/** Checks that no text can cause harm: damaged text, endless text, and text that the model didn't write. */
import type { ToolSpec } from '@x/tool-core'
import { ensure, ensureSame } from '../contract-error.ts'
import type { DialectCheckDefinition } from '../dialect-check.ts'
import { createRandom } from '../random.ts'
import { LINEAR_CHECK } from './linear.ts'
import { toReadCall } from './reading.ts'
import { damage, oddTexts } from './stream.ts'
import { quote, turnsOf } from './written-turns.ts'

/** The most permissive policy that a caller can set. */
const EAGER = { callInFence: 'call', callInReasoning: 'call', quotedCall: 'call' } as const

const SHOWN = ['look_up', 'send_mail'].map((name) => {
  const [does, takes] = [`What ${name} does.`, `What ${name} takes.`]
  const [one, other] = [`${name}_short`, `${name}_long`]
  const properties = { query: { type: 'string', description: takes }, form: { type: 'string', enum: [one, other] } }
  const parameters = { type: 'object', properties }
  const tool: ToolSpec = { type: 'function', function: { name, description: does, parameters } }
  return { tool, texts: [name, does, takes, one, other] }
})

export const SAFETY_CHECKS: readonly DialectCheckDefinition[] = [
  {
    id: 'damaged',
    name: 'damaged text neither causes an exception nor changes a prototype',
    check(subject) {
      const { dialect } = subject
      const random = createRandom(subject.seed + 3)
      for (const text of oddTexts(subject, random)) dialect.parse(damage(text, random))
      for (const key of ['__proto__', 'constructor', 'prototype']) {
        const formatted = dialect.formatCall({ id: 'a', name: 'look_up', arguments: '{"query": {"query": 1}}' })
        if (formatted.ok) dialect.parse(formatted.text.replaceAll('query', key)).toolCalls.map(toReadCall)
      }
      ensure(!('query' in {}), 'Parsing the text added a property to a prototype.')
    },
  },
  LINEAR_CHECK,
  {
    id: 'result',
    name: 'a call inside a result is not parsed as a call',
    check(subject) {
      const { dialect, runs, fragments } = subject
      const tags = fragments.filter((fragment) => /^<[^<>]*>$/.test(fragment))
      const toResult = (text: string) => dialect.formatResult({ callId: 'call_0', name: 'look_up', ok: true, text })
      const frame = toResult('')
      const turns = [...turnsOf({ ...subject, runs: Math.ceil(runs / 10) }, 1), ...subject.samples]
      for (const { text } of turns) {
        const result = toResult(`${text}\n${text}`)
        ensureSame(dialect.parse(result).toolCalls, [], `The result ${JSON.stringify(result)}`)
        const thought = toResult(`\`\`\`\n${text}\n\`\`\`\n<think>"${text}"`)
        ensureSame(dialect.parse(thought, EAGER).toolCalls, [], `With the most permissive policy, ${JSON.stringify(thought)}`)
        // The dialect's own text around a result may contain markers.
        const left = tags.find((tag) => text.includes(tag) && result.split(tag).length > frame.split(tag).length)
        ensure(left === undefined, `The marker ${left} is not escaped in the result ${JSON.stringify(result)}`)
      }
    },
  },
  {
    id: 'shown',
    name: 'the prompt contains the name and description of every tool and the descriptions and values of its parameters, and a result contains its text',
    check({ dialect }) {
      const tools = SHOWN.map(({ tool }) => tool)
      const shown = { formatTools: dialect.formatTools(tools), formatMoreTools: dialect.formatMoreTools(tools) }
      for (const [method, text] of Object.entries(shown)) {
        const left = SHOWN.flatMap(({ texts }) => texts).find((part) => !text.includes(part))
        ensure(left === undefined, `${method} leaves out ${quote(left)}.`)
      }
      const text = 'It is 20 degrees in Oslo.'
      const result = dialect.formatResult({ callId: 'call_0', name: 'look_up', ok: true, text })
      ensure(result.includes(text), `The text of the result is missing from ${JSON.stringify(result)}.`)
    },
  },
  {
    id: 'ids-unique',
    name: 'no two calls of a response have the same id',
    check(subject) {
      const few = { ...subject, runs: Math.ceil(subject.runs / 10) }
      for (const { text } of [...turnsOf(few, 1), ...turnsOf(few, 3), ...subject.samples]) {
        const ids = subject.dialect.parse(`${text}\n${text}`).toolCalls.map(({ id }) => id)
        ensureSame(new Set(ids).size, ids.length, `The ids ${ids.join(', ')}`)
      }
    },
  },
]
