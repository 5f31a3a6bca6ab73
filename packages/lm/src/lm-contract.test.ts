/** The models of this package fulfil their contract. For each fault that is planted in a model, a check of the contract fails. */
import { writeFileSync } from 'node:fs'
import type { LM, LMDelta, LMRequest, LMResponse } from '@x/adapters'
import { toDeltas } from '@x/adapters'
import { openaiChat } from '@x/adapters/wire'
import { describe, expect, it } from 'vitest'
import { newFile } from '../test/cassette/files.ts'
import { type Answer, collect, LM_CHECKS, type LMCheckId, type LMSubject } from '../test/lm-contract.ts'
import { recordLM, replayLM } from './cassette/index.ts'
import { createLM, withCache, withFallback, withRateLimit, withRetry } from './index.ts'
import { withRescue } from './rescue.ts'
import { scriptedLM } from './testing.ts'

type Answers = (words: string) => Answer

/** A scripted model that answers any number of requests. */
function scripted(answer: Answers): Required<LM> {
  return scriptedLM(
    Array.from({ length: 20 }, () => (request: LMRequest) => {
      const reply = answer(request.messages.at(-1)?.content ?? '')
      if (reply instanceof Error) throw reply
      return reply
    }),
  )
}

/** Creates a model over HTTP, on a host that answers in the format of Chat Completions. */
function overHttp(answer: Answers): Required<LM> {
  const fetch: typeof globalThis.fetch = async (_, init) => {
    const { messages, stream } = JSON.parse(String(init?.body)) as { messages: { content: string }[]; stream?: boolean }
    const reply = answer(messages.at(-1)?.content ?? '')
    if (reply instanceof Error) return Response.json({ error: { message: reply.message } }, { status: 400 })
    const { message, finish_reason, usage } = toChat(reply)
    if (!stream) return Response.json({ choices: [{ message, finish_reason }], usage })
    const { tool_calls, content } = message
    const fragments = tool_calls.map((call, index) => ({ tool_calls: [{ ...call, index }] }))
    const events = [{ content }, ...fragments].map((delta) => ({ choices: [{ index: 0, delta, finish_reason: null }] }))
    const all = [...events, { choices: [{ index: 0, delta: {}, finish_reason }] }, { choices: [], usage }]
    const body = `${all.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')}data: [DONE]\n\n`
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  }
  return createLM({ wire: openaiChat, baseURL: 'http://host.test', model: 'm', fetch, retries: 0 })
}

function toChat({ text = '', toolCalls = [], finishReason, usage }: Partial<LMResponse>) {
  const tool_calls = toolCalls.map(({ id, name, arguments: written }) => ({
    ...{ id, type: 'function', function: { name, arguments: written } },
  }))
  return {
    message: { role: 'assistant', content: text, tool_calls },
    finish_reason: finishReason === 'tool-calls' ? 'tool_calls' : finishReason,
    usage: usage && { prompt_tokens: usage.inputTokens, completion_tokens: usage.outputTokens },
  }
}

/** Records each request, and answers it from the recording. */
function replayed(lm: Required<LM>): Required<LM> {
  return {
    async generate(request, options) {
      const file = emptyCassette()
      await recordLM(lm, file)
        .generate(request, options)
        .catch(() => {})
      return replayLM(file).generate(request, options)
    },
    async *stream(request, options) {
      const file = emptyCassette()
      await collect(recordLM(lm, file).stream(request, options)).catch(() => {})
      yield* replayLM(file).stream(request, options)
    },
  }
}

function emptyCassette(): string {
  const file = newFile()
  writeFileSync(file, '{"version":1,"exchanges":[]}')
  return file
}

const SUBJECTS: readonly (readonly [string, LMSubject])[] = [
  ['scriptedLM', { open: scripted }],
  ['createLM', { open: overHttp }],
  ['withCache', { open: (answer) => withCache(overHttp(answer)) }],
  ['withFallback', { open: (answer) => withFallback([overHttp(answer), overHttp(answer)]), asksAgain: true }],
  ['withRateLimit', { open: (answer) => withRateLimit(overHttp(answer), { concurrency: 1 }) }],
  ['withRetry', { open: (answer) => withRetry(overHttp(answer)) }],
  ['withRescue', { open: (answer) => withRescue(overHttp(answer)) }],
  ['recordLM', { open: (answer) => recordLM(overHttp(answer), newFile()) }],
  ['replayLM', { open: (answer) => replayed(overHttp(answer)) }],
]

describe.each(SUBJECTS)('%s', (_, subject) => {
  for (const { name, run } of LM_CHECKS) it(name, () => run(subject))
})

interface Fault {
  readonly name: string
  readonly plant: (lm: Required<LM>) => Partial<LM>
  readonly noticedBy: LMCheckId
}

const FAULTS: readonly Fault[] = [
  {
    name: 'usage is lost',
    plant: (lm) => ({ generate: async (...given) => ({ ...(await lm.generate(...given)), usage: undefined }) }),
    noticedBy: 'generate',
  },
  {
    name: 'a text loses the white space around it',
    plant: changed((response) => ({ ...response, text: response.text.trim() })),
    noticedBy: 'generate',
  },
  {
    name: 'a request is changed on its way',
    plant: (lm) => ({
      generate(request, options) {
        Object.assign(request, { settings: {} })
        return lm.generate(request, options)
      },
    }),
    noticedBy: 'request-kept',
  },
  {
    name: 'a request gets the reply of another one that is under way',
    plant(lm) {
      let shared: Promise<LMResponse> | undefined
      return { generate: (...given) => (shared ??= lm.generate(...given)) }
    },
    noticedBy: 'apart',
  },
  {
    name: 'a call that was cut off counts as whole',
    plant: changed((response) => ({ ...response, toolCalls: response.toolCalls.map(({ truncated, ...call }) => call) })),
    noticedBy: 'cut',
  },
  {
    name: 'an error becomes an empty reply',
    plant: (lm) => ({ generate: (...given) => lm.generate(...given).catch(() => ({ text: '', toolCalls: [] })) }),
    noticedBy: 'error',
  },
  {
    name: 'an error is remembered for the requests after it',
    plant(lm) {
      let failed: unknown
      return {
        async generate(...given) {
          if (failed !== undefined) throw failed
          try {
            return await lm.generate(...given)
          } catch (cause) {
            failed = cause
            throw cause
          }
        },
      }
    },
    noticedBy: 'error',
  },
  { name: 'a stream loses its usage', plant: streamed((delta) => (delta.type === 'usage' ? [] : [delta])), noticedBy: 'stream' },
  {
    name: 'a stream loses the second half of its arguments',
    plant: streamed((delta) => (delta.type === 'arguments' && delta.text.includes('more') ? [] : [delta])),
    noticedBy: 'stream',
  },
  {
    name: 'a stream does not say why it ended',
    plant: streamed((delta) => (delta.type === 'finish' ? [] : [delta])),
    noticedBy: 'stream-deltas',
  },
  {
    name: 'a call of a stream starts twice',
    plant: streamed((delta) => (delta.type === 'call_start' ? [delta, delta] : [delta])),
    noticedBy: 'stream-deltas',
  },
  {
    name: 'a call of a stream has no end',
    plant: streamed((delta) => (delta.type === 'call_end' ? [] : [delta])),
    noticedBy: 'stream-deltas',
  },
  {
    name: 'a stream that fails just ends',
    plant: (lm) => ({
      async *stream(...given) {
        try {
          yield* lm.stream(...given)
        } catch {
          yield { type: 'finish', finishReason: 'stop' }
        }
      },
    }),
    noticedBy: 'stream-error',
  },
  {
    name: 'a stream that is left early locks the model',
    plant(lm) {
      let isOpen = false
      return {
        async *stream(...given) {
          if (isOpen) throw new Error('busy')
          isOpen = true
          yield* lm.stream(...given)
          isOpen = false
        },
      }
    },
    noticedBy: 'stream-left',
  },
  {
    name: 'a signal that was aborted is not looked at',
    plant: (lm) => ({ generate: (request) => lm.generate(request) }),
    noticedBy: 'abort-before',
  },
  {
    name: 'an abort rejects with another reason',
    plant: (lm) => ({ generate: (...given) => lm.generate(...given).catch(() => Promise.reject(new Error('aborted'))) }),
    noticedBy: 'abort-before',
  },
  {
    name: 'an abort does not end a stream that is being read',
    plant: (lm) => ({
      async *stream(request, options) {
        options?.signal?.throwIfAborted()
        yield* lm.stream(request)
      },
    }),
    noticedBy: 'abort-during',
  },
]

it.each(FAULTS)('detects a planted fault: $name', async ({ plant, noticedBy }) => {
  const open = (answer: Answers) => {
    const lm = scripted(answer)
    return { ...lm, ...plant(lm) } as Required<LM>
  }
  const check = LM_CHECKS.find(({ id }) => id === noticedBy)
  await expect(check?.run({ open })).rejects.toThrow()
})

function changed(change: (response: LMResponse) => LMResponse) {
  return (lm: Required<LM>): LM => ({
    generate: async (...given) => change(await lm.generate(...given)),
    async *stream(...given) {
      yield* toDeltas(change(await lm.generate(...given)))
    },
  })
}

function streamed(change: (delta: LMDelta) => readonly LMDelta[]) {
  return (lm: Required<LM>): Partial<LM> => ({
    async *stream(...given) {
      for (const delta of await collect(lm.stream(...given))) yield* change(delta)
    },
  })
}
