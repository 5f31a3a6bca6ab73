/** Journals in which a record was changed between two processes: it takes the place of another, is of another kind, or is missing. */
import type { LM } from '@x/adapters'
import { defineTool, type ToolContext } from '@x/tool-core'
import { Type } from 'typebox'
import { beforeAll, describe, expect, it } from 'vitest'
import { programTool } from '../../test/nested/program-tool.ts'
import { MemorySteps } from '../../test/steps.ts'
import { answer, call } from '../../test/tools.ts'
import { AgentError } from '../errors.ts'
import { createReactAgent } from '../react-agent.ts'
import { agentTool } from '../tools/agent-tool.ts'

const decisions = new Map<string, unknown>([
  ['nested-c1/nested-c1.3/approval-p1', true],
  ['nested-c1/nested-c1.3/approval-p2', true],
  ['nested-c1/approval-c1.day', { type: 'input', input: { day: 1 } }],
])

const lmOf = (...replies: object[][]): LM => ({
  generate: async ({ messages }) => {
    const calls = replies[messages.filter(({ role }) => role === 'assistant').length] ?? []
    return { text: calls.length > 0 ? '' : 'Done.', toolCalls: calls as never }
  },
})

// Shared by all runs, because each schema would be compiled once more.
const DAY = Type.Object({ day: Type.Integer() })
const VALUE = Type.Object({ v: Type.Integer() })

async function body({ call: make, ask }: ToolContext) {
  const results: unknown[] = await Promise.all([
    make({ name: 'look', args: { v: 1 } }),
    make({ name: 'write', args: { v: 2 } }),
    make({ name: 'ask_clerk', args: { question: '?' } }),
  ])
  results.push(await ask({ key: 'day', message: 'Which day?', schema: DAY }))
  results.push(await make({ name: 'write', args: { v: 3 } }))
  return results
}

async function play(steps: MemorySteps, written: string[] = []) {
  const define = (name: string, effect: 'read' | 'write', needsApproval = false) =>
    defineTool({
      name,
      description: name,
      args: VALUE,
      effect,
      needsApproval,
      execute: ({ v }, { idempotencyKey }) => {
        if (effect === 'write') written.push(idempotencyKey)
        return { v }
      },
    })
  const clerk = await createReactAgent({
    lm: lmOf([call('pay', { v: 9 }, 'p1'), call('pay', { v: 10 }, 'p2')]),
    tools: [define('pay', 'write', true)],
    signature: answer,
    name: 'clerk',
  })
  const agent = await createReactAgent({
    lm: lmOf([call('program', {}, 'c1'), call('write', { v: 4 }, 'c2')]),
    tools: [
      programTool(body),
      define('look', 'read'),
      define('write', 'write'),
      agentTool(clerk, { name: 'ask_clerk', description: 'Asks.' }),
    ],
    signature: answer,
  })
  return agent.run({ question: '?' }, { id: 'r', steps }).catch((error: unknown) => error)
}

/** The records of the whole run. */
let records: ReadonlyMap<string, string>

const withRecords = (changed: Iterable<readonly [string, string]>) => {
  const steps = new MemorySteps()
  for (const [key, text] of changed) steps.records.set(key, text)
  for (const [key, decision] of decisions) steps.decisions.set(key, decision)
  return steps
}

beforeAll(async () => {
  const steps = withRecords([])
  expect(await play(steps)).toHaveProperty('outputs')
  records = steps.records
  expect(records.size).toBeGreaterThan(25)
})

describe('a changed journal', () => {
  const odd = ['null', '0', '""', '[]', '{}', '[null]', '[99]', '{"calls":[null]}', '{"observation":null}', '{"waiting":null}']

  it.each([
    ['of a whole run', () => true],
    ['of a program that is repeated', (key: string) => !key.startsWith('nested-c1/execution-')],
  ] as const)('%s leads to its outcome or to an error that names it, and no recorded write is made again', async (_, isKept) => {
    const base = [...records].filter(([key]) => isKept(key))
    const changes = base.flatMap(([key]) => [...odd, ...records.values()].map((text) => [key, text] as const))
    const some = process.env.X_FULL ? changes : changes.filter((_each, index) => index % 4 === 0)
    for (const [key, text] of some) {
      const written: string[] = []
      const steps = withRecords([...base, [key, text]])
      const ended = await play(steps, written)
      if (ended instanceof AgentError) expect(['steps_mismatch', 'approval_invalid']).toContain(ended.code)
      expect([key, text, JSON.stringify(ended)]).toEqual([key, text, expect.not.stringMatching(/TypeError|Cannot|iterable/)])
      expect([key, text, new Set(written).size]).toEqual([key, text, written.length])
      // Only the call whose record is gone can be made again.
      for (const made of written) expect([key, text]).toEqual([key, expect.not.stringContaining(made)])
    }
  })

  it.each([
    ['nested-c1/call-c1.2', 'nested-c1/call-c1.1'],
    ['nested-c1/call-c1.1', 'nested-c1/call-c1.5'],
    ['nested-c1/nested-c1.3/call-p1', 'call-c2'],
    ['call-c2', 'nested-c1/call-c1.2'],
    ['nested-c1/execution-0', 'call-c2'],
  ])('is refused if the record "%s" is that of "%s"', async (key, other) => {
    const base = [...records].filter(([each]) => !each.includes('execution-'))
    const ended = await play(withRecords([...base, [key, records.get(other) as string]]))
    expect(ended).toMatchObject({
      code: 'steps_mismatch',
      message: `The journal's record of the step "${key}" was changed, or belongs to another step. Restore it, or start the run again with a new journal.`,
    })
  })
  it.each([
    ['nested-c1/nested-c1.3/asked-p1', 'nested-c1/nested-c1.3/asked-p2'],
    ['nested-c1/nested-c1.3/model-1', 'model-1'],
    ['model-2', 'model-1'],
  ])('is refused if the records "%s" and "%s" are exchanged', async (key, other) => {
    const isKept = (each: string) => !/(execution|decided|intent|call)-[^/]*$/.test(each)
    const base = [...records].filter(([each]) => isKept(each))
    const written: string[] = []
    const exchanged = [
      [key, records.get(other) as string],
      [other, records.get(key) as string],
    ] as const
    const ended = await play(withRecords([...base, ...exchanged]), written)
    expect(ended).toMatchObject({ code: 'steps_mismatch' })
    expect(written).not.toContainEqual(expect.stringMatching(/p1|p2/))
  })
})
