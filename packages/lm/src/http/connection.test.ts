import { describe, expect, it } from 'vitest'
import { serve } from '../../test/server.ts'
import { watchConnection } from './connection.ts'

const post = (url: string) => () => fetch(url, { method: 'POST', body: '{}' })

describe('watchConnection', () => {
  it('reports that a connection is being opened and then open, before the reply arrives', async () => {
    const order: (string | boolean)[] = []
    const server = await serve((reply) => {
      order.push('received')
      reply.end('ok')
    })
    const [sending, stop] = watchConnection(server.host, post(server.baseURL), (isConnecting) => order.push(isConnecting))
    await (await sending).text()
    expect([order[0], order.at(-1)]).toEqual([true, 'received'])
    expect(order.at(-2)).toBe(false)
    stop()
  })

  it('reports nothing about a connection to another host', async () => {
    const [server, other] = [await serve((reply) => reply.end('ok')), await serve((reply) => reply.end('ok'))]
    const reports: boolean[] = []
    const watched = () => Promise.all([fetch(server.baseURL, { method: 'POST', body: '{}' })])
    const [sending, stop] = watchConnection('elsewhere.test', watched, (isConnecting) => reports.push(isConnecting))
    for (const reply of [...(await sending), await post(other.baseURL)()]) await reply.text()
    stop()
    expect(reports).not.toContain(true)
  })

  it("reports nothing about the caller's own fetch, and returns its result", () => {
    const reports: boolean[] = []
    const [sent, stop] = watchConnection(
      'host.test',
      () => 'a fetch of its own',
      (isConnecting) => reports.push(isConnecting),
    )
    stop()
    expect([sent, reports]).toEqual(['a fetch of its own', []])
  })

  it('passes on what the call throws', () => {
    const send = () => {
      throw new Error('odd')
    }
    expect(() => watchConnection('host.test', send, () => {})).toThrow('odd')
  })
})
