/** Tests how the engines record images that tools returned. */
import { statSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { defineSignature, type LM } from '@x/adapters'
import { createReactAgent } from '@x/react-agent'
import { defineTool, image, text } from '@x/tool-core'
import * as Type from 'typebox'
import { expect, it } from 'vitest'
import { journalPaths } from '../../test/file/journal/folder.ts'
import { OrderedEngine } from '../../test/ordered-engine.ts'
import { seededRandom } from '../contract/case.ts'
import { fileJournal } from '../file/journal/file-journal.ts'
import type { DurableRun } from './engine.ts'

const newPath = journalPaths()
const random = seededRandom(3)
const photo = new Uint8Array(50_000).map((_, index) => index % 256)
const signature = defineSignature({
  instructions: 'Look.',
  inputs: { question: Type.String() },
  outputs: { answer: Type.String() },
})

/** Creates an agent that takes ten photos, five in parallel and five one after the other. All of them are identical except one. */
async function photographer() {
  let taken = 0
  const calls = Array.from({ length: 10 }, (_, index) => ({ id: `c${index}`, name: 'look', arguments: `{"at":${index}}` }))
  const lm: LM = {
    async generate({ messages }) {
      const seen = messages.filter(({ role }) => role === 'tool').length
      if (seen === 0) return { text: '', toolCalls: calls.slice(0, 5) }
      return seen < 10 ? { text: '', toolCalls: calls.slice(seen, seen + 1) } : { text: 'Done.', toolCalls: [] }
    },
  }
  const look = defineTool({
    name: 'look',
    description: 'Takes a photo.',
    effect: 'read',
    args: Type.Object({ at: Type.Integer() }),
    execute: async ({ at }) => {
      taken++
      await setTimeout(random() * 3)
      return at
    },
    toModelOutput: (at) => [text(`Photo ${at}`), image({ mediaType: 'image/png', data: at === 3 ? photo.subarray(1) : photo })],
  })
  const agent = await createReactAgent({ lm, tools: [look], signature })
  const fn = async (_: unknown, run: Pick<DurableRun, 'steps' | 'id'>) =>
    (await agent.run({ question: '?' }, run)).trajectory.messages.flatMap((message) =>
      message.role === 'tool' ? [message.parts] : [],
    )
  return { fn, taken: () => taken }
}

const expected = Array.from({ length: 10 }, (_, at) => [
  text(`Photo ${at}`),
  image({ mediaType: 'image/png', data: at === 3 ? photo.subarray(1) : photo }),
])

it('a journal in a file contains the data of each image once, and returns it in another process', async () => {
  const path = newPath()
  const { fn, taken } = await photographer()
  for (const _process of [1, 2]) {
    await using steps = await fileJournal(path)
    expect(await fn(null, { steps, id: 'one' })).toEqual(expected)
  }
  expect(taken()).toBe(10)
  // The limit is two images in base64, and less than 8 kB for everything else.
  const base64 = (photo.length / 3) * 4
  expect(statSync(path).size / base64).toBeGreaterThan(1.99)
  expect(statSync(path).size - 2 * base64).toBeLessThan(8000)
})

it('ordered records contain the data of each image once, wherever the process crashes', async () => {
  const whole = new OrderedEngine()
  expect(await whole.play((await photographer()).fn)).toEqual({ output: expected })
  const base64 = Buffer.from(photo).toString('base64')
  const copies = ({ records }: OrderedEngine) =>
    records
      .map((record) => record.text)
      .join('')
      .split(base64).length - 1
  expect(copies(whole)).toBe(1)
  for (let crashAfter = 0; crashAfter < whole.records.length; crashAfter++) {
    const engine = new OrderedEngine()
    engine.crashAfter = crashAfter
    const { fn } = await photographer()
    const ended = await engine.play(fn)
    engine.crashAfter = Number.POSITIVE_INFINITY
    expect({ crashAfter, ...(ended ?? (await engine.play(fn))) }).toEqual({ crashAfter, output: expected })
    expect({ crashAfter, copies: copies(engine) }).toEqual({ crashAfter, copies: 1 })
  }
})
