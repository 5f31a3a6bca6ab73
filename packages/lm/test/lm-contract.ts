/** The contract of all language models in this package. It consists of checks on a model whose answer depends on the last message. */
import assert from 'node:assert/strict'
import { collectDeltas, type LM, type LMDelta, type LMRequest, type LMResponse } from '@x/adapters'

export type Answer = Partial<LMResponse> | Error

export interface LMSubject {
  /** Creates a model that answers each request according to its last message. */
  open(answer: (words: string) => Answer): Required<LM>
  /** Whether the model retries after one error. Default: false. */
  readonly asksAgain?: boolean | undefined
}

export interface LMCheck {
  readonly id: LMCheckId
  readonly name: string
  run(subject: LMSubject): Promise<void>
}

export type LMCheckId =
  | 'generate'
  | 'request-kept'
  | 'apart'
  | 'cut'
  | 'error'
  | 'stream'
  | 'stream-deltas'
  | 'stream-error'
  | 'stream-left'
  | 'abort-before'
  | 'abort-during'

const CALL = { id: 'a', name: 'look_up', arguments: '{"query":"tea","more":"of it"}' }
const CALLS: Answer = {
  text: ' I look.\n',
  toolCalls: [CALL, { ...CALL, id: 'b' }],
  finishReason: 'tool-calls',
  usage: { inputTokens: 20, outputTokens: 6 },
}
const CUT: Answer = { text: '', toolCalls: [CALL, { ...CALL, id: 'b', truncated: true }], finishReason: 'length' }

export const LM_CHECKS: readonly LMCheck[] = [
  {
    id: 'generate',
    name: 'generate returns the text, the calls, the finish reason and the usage of the reply',
    run: async ({ open }) => assert.deepEqual(contentOf(await open(() => CALLS).generate(ask('x'))), contentOf(CALLS)),
  },
  {
    id: 'request-kept',
    name: 'a frozen request is accepted, whole and streamed, and stays unchanged',
    async run({ open }) {
      const request = ask('x')
      const before = JSON.stringify(request)
      const lm = open(() => CALLS)
      await lm.generate(request)
      await collect(lm.stream(request))
      assert.equal(JSON.stringify(request), before)
    },
  },
  {
    id: 'apart',
    name: 'concurrent requests, whole and streamed, get their own replies',
    async run({ open }) {
      const lm = open((words) => ({ text: `to ${words}`, finishReason: 'stop' }))
      const words = ['a', 'b', 'c']
      const replies = await Promise.all([
        ...words.map((one) => lm.generate(ask(one))),
        ...words.map((one) => collect(lm.stream(ask(one))).then(collectDeltas)),
      ])
      assert.deepEqual(
        replies.map(({ text }) => text),
        [...words, ...words].map((one) => `to ${one}`),
      )
    },
  },
  {
    id: 'cut',
    name: 'only an incomplete call is marked as truncated, whole and streamed',
    async run({ open }) {
      const lm = open(() => CUT)
      for (const response of [await lm.generate(ask('x')), collectDeltas(await collect(lm.stream(ask('x'))))])
        assert.deepEqual(contentOf(response), contentOf(CUT))
    },
  },
  {
    id: 'error',
    name: 'a failure rejects with an error, and the next request gets its own reply',
    async run({ open, asksAgain = false }) {
      const lm = open((words) => (words === 'bad' ? new Error('no such model') : CALLS))
      await assert.rejects(lm.generate(ask('bad')), asksAgain ? Error : /no such model/)
      assert.equal((await lm.generate(ask('good'))).text, CALLS.text)
    },
  },
  {
    id: 'stream',
    name: 'the deltas of a stream add up to the response of generate',
    async run({ open }) {
      const lm = open(() => CALLS)
      assert.deepEqual(contentOf(collectDeltas(await collect(lm.stream(ask('x'))))), contentOf(await lm.generate(ask('x'))))
    },
  },
  {
    id: 'stream-deltas',
    name: 'each call of a stream starts once, before its arguments, and ends once, and the stream has a finish reason',
    async run({ open }) {
      const deltas = await collect(open(() => CALLS).stream(ask('x')))
      assert.deepEqual(problemsIn(deltas), [])
      assert.ok(
        deltas.some(({ type }) => type === 'finish'),
        'no `finish`',
      )
    },
  },
  {
    id: 'stream-error',
    name: 'a failure rejects while the stream is read',
    async run({ open, asksAgain = false }) {
      const lm = open(() => new Error('no such model'))
      await assert.rejects(collect(lm.stream(ask('x'))), asksAgain ? Error : /no such model/)
    },
  },
  {
    id: 'stream-left',
    name: 'a stream that is left early does not block later requests',
    async run({ open }) {
      const lm = open(() => CALLS)
      for await (const _ of lm.stream(ask('x'))) break
      assert.equal((await lm.generate(ask('x'))).text, CALLS.text)
      assert.equal(collectDeltas(await collect(lm.stream(ask('x')))).text, CALLS.text)
    },
  },
  {
    id: 'abort-before',
    name: 'an aborted signal rejects with its reason or an error with that cause, and nothing is sent',
    async run({ open }) {
      let asked = 0
      const lm = open(() => {
        asked++
        return CALLS
      })
      const reason = new Error('enough')
      const signal = AbortSignal.abort(reason)
      await assert.rejects(lm.generate(ask('x'), { signal }), isOf(reason))
      await assert.rejects(collect(lm.stream(ask('x'), { signal })), isOf(reason))
      assert.equal(asked, 0)
    },
  },
  {
    id: 'abort-during',
    name: 'an abort ends a stream that is being read, with its reason or an error with that cause',
    async run({ open }) {
      const reason = new Error('enough')
      const controller = new AbortController()
      const read = async () => {
        for await (const _ of open(() => CALLS).stream(ask('x'), { signal: controller.signal })) controller.abort(reason)
      }
      await assert.rejects(read(), isOf(reason))
    },
  },
]

export function ask(words: string): LMRequest {
  const message = Object.freeze({ role: 'user', content: words } as const)
  return Object.freeze({ messages: Object.freeze([message]) })
}

export async function collect(deltas: AsyncIterable<LMDelta>): Promise<readonly LMDelta[]> {
  const list: LMDelta[] = []
  for await (const delta of deltas) list.push(delta)
  return list
}

/** Returns the fields that all models must report in the same way. Providers add further details. */
function contentOf({ text = '', toolCalls = [], finishReason, usage }: Partial<LMResponse>): object {
  const calls = toolCalls.map(({ id, name, arguments: written, truncated }) => ({
    id,
    name,
    written,
    truncated: truncated === true,
  }))
  return { text, calls, finishReason, tokens: [usage?.inputTokens, usage?.outputTokens] }
}

function isOf(reason: Error): (cause: unknown) => boolean {
  return (cause) => cause === reason || (cause instanceof Error && cause.cause === reason)
}

function problemsIn(deltas: readonly LMDelta[]): readonly string[] {
  const open = new Set<number>()
  const problems: string[] = []
  let started = 0
  for (const delta of deltas) {
    if (delta.type === 'call_start') {
      if (delta.index !== started++) problems.push(`call ${delta.index} starts out of turn`)
      open.add(delta.index)
    }
    if (delta.type === 'arguments' && !open.has(delta.index)) problems.push(`arguments of call ${delta.index}, which is not open`)
    if (delta.type === 'call_end' && !open.delete(delta.index)) problems.push(`call ${delta.index} ends, and is not open`)
  }
  return open.size === 0 ? problems : [...problems, 'a call has no end']
}
