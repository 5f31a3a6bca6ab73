/** Tests journals in which an earlier release recorded a run of an agent. */
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineSignature } from '@x/adapters'
import { scriptedLM } from '@x/lm/testing'
import { agentTool, createReactAgent } from '@x/react-agent'
import { defineTool } from '@x/tool-core'
import * as Type from 'typebox'
import { expect, it, onTestFinished } from 'vitest'
import { fileJournal } from './journal/file-journal.ts'

const FIXTURE = new URL('../../test/file/fixtures/journal-records-2.jsonl', import.meta.url)

it('are refused with the reason before anything runs, and left unchanged', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'older-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'run.jsonl')
  copyFileSync(FIXTURE, path)
  const signature = defineSignature({
    instructions: 'Answer briefly.',
    inputs: { question: Type.String() },
    outputs: { answer: Type.String() },
  })
  const paid: number[] = []
  const pay = defineTool({
    name: 'pay',
    description: 'Pay an amount.',
    args: Type.Object({ amount: Type.Integer({ minimum: 1 }) }),
    effect: 'write',
    needsApproval: true,
    execute: ({ amount }) => paid.push(amount),
  })
  const expert = await createReactAgent({ lm: scriptedLM([{ text: '21' }]), tools: [], signature, name: 'expert' })
  const ask = agentTool(expert, { name: 'ask_expert', description: 'Asks an expert.', effect: 'read' })
  const lm = scriptedLM([{ text: 'Done.' }])
  const agent = await createReactAgent({ lm, tools: [pay, ask], signature, name: 'clerk' })
  {
    await using journal = await fileJournal(path)
    await journal.decide('approval-p1', true)
    await expect(agent.run({ question: 'Pay 5.' }, { id: 'old', steps: journal })).rejects.toMatchObject({
      code: 'steps_mismatch',
      message: expect.stringContaining('as version 2; this release reads version 4'),
    })
  }
  expect([paid, lm.requests]).toEqual([[], []])
  // Only the decision has been added to the file.
  const before = readFileSync(FIXTURE, 'utf8')
  expect(readFileSync(path, 'utf8').startsWith(before)).toBe(true)
})
