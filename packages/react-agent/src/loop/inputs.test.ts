import { defineSignature, Image, type Signature, Tools } from '@x/adapters'
import { scriptedLM } from '@x/lm/testing'
import { image } from '@x/tool-core'
import { Type } from 'typebox'
import { expect, it } from 'vitest'
import { aTurn } from '../../test/clock.ts'
import { getWeather } from '../../test/tools.ts'
import { chainOfThought } from '../predict/chain-of-thought.ts'
import { predict } from '../predict/predict.ts'
import { createReactAgent } from '../react-agent.ts'
import { multiToolSelector } from '../selector/multi-tool-selector.ts'

const task = defineSignature({
  instructions: 'Count.',
  inputs: {
    n: Type.Integer({ minimum: 1 }),
    user: Type.Optional(Type.Object({ 'a/b': Type.String() })),
    photos: Type.Optional(Type.Array(Image({ mediaTypes: ['image/png'] }), { maxItems: 1 })),
    tools: Type.Optional(Tools()),
  },
  outputs: { answer: Type.String() },
})

const png = image({ mediaType: 'image/png', base64: 'AAAA' })
const gif = image({ mediaType: 'image/gif', base64: 'AAAA' })

/** Returns the error messages of all modules for the same inputs, without the modules' names. */
async function refusals(inputs: unknown): Promise<unknown[]> {
  const lm = scriptedLM([])
  const options = { lm, signature: task as Signature }
  const agent = await createReactAgent({ ...options, tools: [], name: 'agent' })
  const runs = [agent.run(inputs as object), predict(options)(inputs as object), chainOfThought(options)(inputs as object)]
  const errors = await Promise.all(runs.map((run) => run.catch((error: unknown) => error)))
  expect(errors).toMatchObject(errors.map(() => ({ name: 'AgentError', code: 'invalid_inputs' })))
  expect(lm.requests).toEqual([])
  return errors.map((error) => (error as Error).message.replace(/^\w+: the inputs do not match the signature: /, ''))
}

it.each([
  ['of another type', { n: 'a secret' }, '"n" must be integer, but is a string'],
  ['that would fit after conversion', { n: '3' }, '"n" must be integer, but is a string'],
  ['out of bounds', { n: -5 }, '"n" must be >= 1, but is a number'],
  ['missing', {}, '"n" is missing'],
  ['that only the prototype has', Object.create({ n: 1 }), '"n" is missing'],
  ['null', { n: null }, '"n" must be integer, but is null'],
  ['within an object', { n: 1, user: { 'a/b': ['secret'] } }, '"user" /a~1b must be string, but is a list'],
  ['missing in an object', { n: 1, user: {} }, `"user" must have required property 'a/b'`],
  ['that are no images', { n: 1, photos: ['secret'] }, '"photos" [0] must be an image. Write image({ mediaType, data })'],
  [
    'that are images of another kind',
    { n: 1, photos: [gif] },
    '"photos" [0] must have one of the media types image/png, but has image/gif',
  ],
  ['that are too many images', { n: 1, photos: [png, png] }, '"photos" must NOT have more than 1 items, but is a list'],
  ['several', { user: 'secret' }, '"n" is missing; "user" must be object, but is a string'],
  ['none', undefined, 'they are undefined, not an object'],
])('T0-35: invalid inputs are rejected before the model is called: %s', async (_, inputs, words) => {
  expect(await refusals(inputs)).toEqual(Array(3).fill(`${words}. The model was not called.`))
})

it("the selector rejects a request that isn't a string", async () => {
  const lm = scriptedLM([])
  await expect(multiToolSelector({ lm, tools: [getWeather] })(42 as never)).rejects.toMatchObject({
    code: 'invalid_inputs',
    message:
      'multiToolSelector: the inputs do not match the signature: "request" must be string, but is a number. The model was not called.',
  })
})

it('undeclared inputs are ignored', async () => {
  const lm = scriptedLM([{ text: 'One.' }])
  await predict({ lm, signature: task })({ n: 1, password: 'secret' } as { n: number })
  expect(JSON.stringify(lm.requests)).not.toContain('secret')
})

it('inputs are sent unchanged', async () => {
  const lm = scriptedLM([{ text: 'One.' }])
  await predict({ lm, signature: task })(Object.freeze({ n: 1, user: undefined, tools: undefined }) as never)
  expect(lm.requests[0]?.messages.at(-1)?.content).toBe('1')
})

it('an image is sent to the model by every module', async () => {
  const signature = defineSignature({
    instructions: 'Look.',
    inputs: { photo: Image(), question: Type.String() },
    outputs: { answer: Type.String() },
  })
  const lm = scriptedLM([{ text: 'A cat.' }, { text: 'A cat.' }])
  const agent = await createReactAgent({ lm, signature, tools: [] })
  const { trajectory } = await agent.run({ photo: png, question: 'Who?' })
  await predict({ lm, signature })({ photo: png, question: 'Who?' })
  const message = {
    role: 'user',
    content: expect.stringContaining('[image/png]'),
    parts: [expect.anything(), png, expect.anything()],
  }
  expect(trajectory.messages[0]).toEqual(message)
  expect(lm.requests.map(({ messages }) => messages.at(-1))).toEqual([message, message])
})

it('an abort ends the validation of inputs and outputs by a validator that never settles', async () => {
  const validate = () => new Promise(() => {})
  const slow = { '~standard': { version: 1, vendor: 'own', validate, jsonSchema: { input: () => ({ type: 'string' }) } } }
  const lm = scriptedLM([{ text: 'a' }, { text: 'a' }])
  const caller = new AbortController()
  const options = { signal: caller.signal }
  const runs: Promise<unknown>[] = []
  for (const [question, text] of [
    [slow, Type.String()],
    [Type.String(), slow],
  ]) {
    const signature = defineSignature({ inputs: { question }, outputs: { text }, instructions: '' } as never) as Signature
    const agent = await createReactAgent({ lm, tools: [], signature })
    runs.push(agent.run({ question: 'q' }, options), predict({ lm, signature })({ question: 'q' }, options))
  }
  await expect.poll(() => lm.requests.length).toBe(2)
  await aTurn()
  caller.abort()
  const codes = runs.map((run) => Promise.race([run.catch(({ code }: { code: unknown }) => code), aTurn()]))
  expect(await Promise.all(codes)).toEqual(Array(4).fill('aborted'))
})
