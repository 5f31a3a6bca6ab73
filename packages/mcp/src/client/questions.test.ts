import { inputRequired } from '@modelcontextprotocol/server'
import { describe, expect, it, vi } from 'vitest'
import { connect, failure, shown } from '../../test/calls.ts'
import { type ServedTool, statelessServer } from '../../test/stateless-server.ts'
import type { Elicit, McpQuestion } from './elicit.ts'

const form = {
  type: 'object',
  properties: { size: { type: 'string', enum: ['small', 'large'] }, gift: { type: 'boolean', default: false } },
  required: ['size'],
}
const seen: unknown[] = []

/** A tool that asks once, then returns the answers that it received. */
const order: ServedTool = {
  name: 'order',
  call: (_args, { mcpReq }) => {
    seen.push({ responses: mcpReq.inputResponses, state: mcpReq.requestState?.() })
    if (mcpReq.inputResponses === undefined)
      return inputRequired({
        inputRequests: { size: inputRequired.elicit({ message: 'Which size?', requestedSchema: form as never }) },
        requestState: 'opaque:1',
      })
    return { content: [{ type: 'text', text: JSON.stringify(mcpReq.inputResponses) }] }
  },
}

const confirm: ServedTool = {
  name: 'confirm',
  call: (_args, { mcpReq }) =>
    mcpReq.inputResponses === undefined
      ? inputRequired({
          inputRequests: { page: inputRequired.elicitUrl({ message: 'Sign in.', url: 'https://bücher.example:8443/login?x=1' }) },
        })
      : { content: [{ type: 'text', text: JSON.stringify(mcpReq.inputResponses) }] },
}

describe('a question of a stateless server', () => {
  it('is answered by the handler, and the call continues with the state of the server', async () => {
    seen.length = 0
    const questions: McpQuestion[] = []
    const elicit: Elicit = (question) => {
      questions.push(question)
      return { action: 'accept', content: { size: 'large' } }
    }
    const { call } = connect(statelessServer([order]).server, { elicit })
    expect(shown(await call('shop_order'))).toBe('{"size":{"action":"accept","content":{"gift":false,"size":"large"}}}')
    expect(questions).toEqual([
      { server: 'shop', tool: 'shop_order', message: 'Which size?', mode: 'form', schema: expect.objectContaining(form) },
    ])
    expect(seen).toEqual([
      { responses: undefined, state: undefined },
      { responses: { size: { action: 'accept', content: { size: 'large', gift: false } } }, state: 'opaque:1' },
    ])
  })

  it('is declined and reported without a handler', async () => {
    const { call, reports } = connect(statelessServer([order]).server)
    expect(shown(await call('shop_order'))).toBe('{"size":{"action":"decline"}}')
    expect(reports).toMatchObject([{ code: 'question_declined', tool: 'shop_order' }])
  })

  it.each([{ action: 'decline' }, { action: 'cancel' }] as const)('may be answered with %j', async (given) => {
    const { call } = connect(statelessServer([order]).server, { elicit: () => given })
    expect(shown(await call('shop_order'))).toBe(JSON.stringify({ size: given }))
  })

  it('fails the call if the answer does not fit the form', async () => {
    const { call } = connect(statelessServer([order]).server, { elicit: () => ({ action: 'accept', content: { size: 'huge' } }) })
    expect(failure(await call('shop_order'))).toMatchObject({
      reason: 'input_unavailable',
      cause: { message: expect.stringContaining("the answer doesn't fit the form: size") },
    })
  })

  it('fails the call if the form is invalid', async () => {
    const broken: ServedTool = {
      name: 'order',
      call: () => {
        const requestedSchema = { type: 'object', properties: { size: { type: 'string', pattern: '(' } } } as never
        return inputRequired({ inputRequests: { size: inputRequired.elicit({ message: 'Size?', requestedSchema }) } })
      },
    }
    const { call } = connect(statelessServer([broken]).server, { elicit: () => ({ action: 'accept', content: { size: 'x' } }) })
    expect(failure(await call('shop_order'))).toMatchObject({ code: 'execution_failed', reason: 'input_unavailable' })
  })

  it('about a page shows the host of the page, and opens nothing', async () => {
    const fetched = vi.spyOn(globalThis, 'fetch')
    const questions: McpQuestion[] = []
    const { call } = connect(statelessServer([confirm]).server, {
      elicit(question) {
        questions.push(question)
        return { action: 'accept' }
      },
    })
    expect(shown(await call('shop_confirm'))).toBe('{"page":{"action":"accept"}}')
    expect(questions).toMatchObject([{ mode: 'url', host: 'xn--bcher-kva.example:8443' }])
    expect(fetched).not.toHaveBeenCalled()
    fetched.mockRestore()
  })

  it('about a page is declined without a handler, and the report names the host', async () => {
    const { call, reports } = connect(statelessServer([confirm]).server)
    expect(shown(await call('shop_confirm'))).toBe('{"page":{"action":"decline"}}')
    expect(reports[0]?.message).toContain('xn--bcher-kva.example:8443')
  })

  it('about an address that is not a web page is declined', async () => {
    const open: ServedTool = {
      name: 'open',
      call: (_args, { mcpReq }) =>
        mcpReq.inputResponses === undefined
          ? inputRequired({ inputRequests: { page: inputRequired.elicitUrl({ message: 'Look.', url: 'javascript:alert(1)' }) } })
          : { content: [{ type: 'text', text: JSON.stringify(mcpReq.inputResponses) }] },
    }
    const elicit = vi.fn<Elicit>(() => ({ action: 'accept' }))
    const { call, reports } = connect(statelessServer([open]).server, { elicit })
    expect(shown(await call('shop_open'))).toBe('{"page":{"action":"decline"}}')
    expect(elicit).not.toHaveBeenCalled()
    expect(reports[0]?.message).toBe('The server "shop" asked to open an address that is not a web page, which was declined.')
  })

  it('is asked at most ten times', async () => {
    const endless: ServedTool = { name: 'ask', call: () => inputRequired({ requestState: 'again' }) }
    const { call } = connect(statelessServer([endless]).server)
    expect(failure(await call('shop_ask'))).toMatchObject({
      reason: 'input_unavailable',
      message: `"shop_ask" was stopped because it asked more questions. The limit is 10 rounds per call. Don't call it again.`,
    })
  })

  it('is answered as often as maxQuestions permits, and a call without questions needs none', async () => {
    const plain: ServedTool = { name: 'plain', call: () => ({ content: [{ type: 'text', text: 'done' }] }) }
    const { server } = statelessServer([order, plain])
    const elicit: Elicit = () => ({ action: 'accept', content: { size: 'large' } })
    const none = connect(server, { elicit, maxQuestions: 0 })
    expect(shown(await none.call('shop_plain'))).toBe('done')
    expect(failure(await none.call('shop_order'))).toMatchObject({ reason: 'input_unavailable' })
    const one = connect(server, { elicit, maxQuestions: 1 })
    expect(shown(await one.call('shop_order'))).toContain('"size":"large"')
  })

  it('fails the call if there are more than ten questions at once, and none is answered', async () => {
    const size = inputRequired.elicit({ message: 'Size?', requestedSchema: { type: 'object', properties: {} } })
    const inputRequests = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`size${index}`, size]))
    const greedy: ServedTool = { name: 'ask', call: () => inputRequired({ inputRequests }) }
    const elicit = vi.fn<Elicit>(() => ({ action: 'decline' }))
    const { call } = connect(statelessServer([greedy]).server, { elicit })
    expect(failure(await call('shop_ask'))).toMatchObject({
      reason: 'input_unavailable',
      message: `"shop_ask" asked 12 questions at once; the limit is 10. None of them was answered. Don't call it again.`,
    })
    expect(elicit).not.toHaveBeenCalled()
  })

  it('does not count toward the deadline of the call', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    try {
      const { source, call } = connect(statelessServer([order]).server, {
        timeoutMs: 1_000,
        elicit() {
          vi.advanceTimersByTime(3_600_000)
          return { action: 'decline' }
        },
      })
      await source.open()
      expect(shown(await call('shop_order'))).toBe('{"size":{"action":"decline"}}')
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('a call', () => {
  it('reports all progress before its result', async () => {
    const work: ServedTool = {
      name: 'work',
      async call(_args, { mcpReq }) {
        for (let progress = 1; progress <= 5; progress++) {
          await mcpReq.notify({
            method: 'notifications/progress',
            params: { progressToken: mcpReq._meta?.progressToken ?? 0, progress, total: 5, message: `step ${progress}` },
          })
        }
        return { content: [] }
      },
    }
    const updates: unknown[] = []
    const { call } = connect(statelessServer([work]).server)
    await call('shop_work', {}, { progress: (update) => updates.push(update) })
    expect(updates).toEqual([1, 2, 3, 4, 5].map((progress) => ({ progress, total: 5, message: `step ${progress}` })))
  })

  it('is cancelled at the server when the caller aborts', async () => {
    let wasAborted = false
    let begun = () => {}
    const started = new Promise<void>((resolve) => {
      begun = resolve
    })
    const wait: ServedTool = {
      name: 'wait',
      call: (_args, { mcpReq }) =>
        new Promise(() => {
          mcpReq.signal.addEventListener('abort', () => {
            wasAborted = true
          })
          begun()
        }),
    }
    const { call } = connect(statelessServer([wait]).server)
    const controller = new AbortController()
    const calling = call('shop_wait', {}, { signal: controller.signal })
    await started
    controller.abort()
    expect(failure(await calling).code).toBe('aborted')
    await expect.poll(() => wasAborted).toBe(true)
  })

  it('ends at its deadline', async () => {
    const wait: ServedTool = { name: 'wait', call: () => new Promise(() => {}) }
    const { call } = connect(statelessServer([wait]).server, { timeoutMs: 20 })
    expect(failure(await call('shop_wait'))).toMatchObject({ code: 'timeout', message: expect.stringContaining('within 20 ms') })
  })
})
