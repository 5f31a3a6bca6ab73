import { EventStreamCodec } from '@smithy/eventstream-codec'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bytesOf, cut, host, readAll } from '../../../test/http/framing/reader.ts'
import { createAWSReader } from './aws-event-stream.ts'

const codec = new EventStreamCodec(
  (bytes) => new TextDecoder().decode(bytes as Uint8Array),
  (text) => new TextEncoder().encode(text),
)

function message(headers: Record<string, string>, payload = ''): Uint8Array {
  const typed: Record<string, { type: 'string'; value: string }> = {}
  for (const [name, value] of Object.entries(headers)) typed[name] = { type: 'string', value }
  return codec.encode({ headers: typed, body: bytesOf(payload) })
}
const event = (name: string, payload: unknown) =>
  message({ ':event-type': name, ':message-type': 'event' }, payload === undefined ? '' : JSON.stringify(payload))

function join(messages: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(messages))
}
const read = async (bytes: Uint8Array, places: readonly number[] = []) => readAll(await createAWSReader(host), cut(bytes, places))
const invalid = (words: string) => expect.objectContaining({ code: 'invalid_reply', message: expect.stringContaining(words) })

describe('messages of an AWS event stream', () => {
  it('are the same however the bytes are split', async () => {
    const payloads = fc.array(fc.record({ text: fc.string({ unit: 'grapheme' }) }), { maxLength: 5 })
    await fc.assert(
      fc.asyncProperty(payloads, fc.array(fc.nat(), { maxLength: 30 }), async (list, places) => {
        const bytes = join(list.map((payload) => event('contentBlockDelta', payload)))
        expect(await read(bytes, places)).toEqual(list.map((contentBlockDelta) => ({ contentBlockDelta })))
      }),
    )
  })

  it('may have no payload', async () => {
    expect(await read(event('messageStop', undefined))).toEqual([{ messageStop: {} }])
  })

  it('pitfall 11: have the names of exceptions', async () => {
    const exception = message({ ':message-type': 'exception', ':exception-type': 'throttlingException' }, '{"message":"No."}')
    expect(await read(exception)).toEqual([{ throttlingException: { message: 'No.' } }])
  })

  it('pitfall 11: end the stream if they are errors, after the events before them', async () => {
    const error = message({ ':message-type': 'error', ':error-code': 'InternalFailure', ':error-message': 'Sorry.' })
    const events: unknown[] = []
    const reader = await createAWSReader(host)
    const push = () => {
      for (const each of reader.push(join([event('a', { n: 1 }), error]))) events.push(each)
    }
    const expected = { code: 'provider_error', providerCode: 'InternalFailure', retryable: true }
    expect(push).toThrow(expect.objectContaining({ ...expected, message: 'host.test reported an error: Sorry.' }))
    expect(events).toEqual([{ a: { n: 1 } }])
  })

  it('may have the name __proto__ without any effect', async () => {
    const [read1] = await read(event('__proto__', { polluted: true }))
    expect(Object.keys(read1 as object)).toEqual(['__proto__'])
    expect((read1 as { polluted?: boolean }).polluted).toBeUndefined()
  })

  it('are an invalid reply, and never another event, if any byte is wrong', async () => {
    const bytes = join([event('a', { n: 1 }), event('b', { n: 2 })])
    for (let place = 0; place < bytes.length; place++) {
      const broken = bytes.slice()
      broken[place] = (broken[place] as number) ^ 0x41
      await expect(read(broken)).rejects.toMatchObject({ code: 'invalid_reply' })
    }
  })

  it('are an invalid reply if they are truncated', async () => {
    const bytes = event('a', { n: 1 })
    await expect(read(bytes.slice(0, 2))).rejects.toThrow(invalid('ended the stream in the middle of a message'))
    await expect(read(bytes.slice(0, -1))).rejects.toThrow(invalid('ended the stream in the middle of a message'))
  })

  it('are refused before memory is allocated if their length is impossible', async () => {
    await expect(read(new Uint8Array(4).fill(255))).rejects.toThrow(invalid('a message of 4294967295 bytes'))
    await expect(read(new Uint8Array(4))).rejects.toThrow(invalid('a message of 0 bytes'))
  })

  it('are an invalid reply if their payload is not JSON', async () => {
    const bytes = message({ ':event-type': 'a', ':message-type': 'event' }, '<html>')
    await expect(read(bytes)).rejects.toThrow(invalid('sent an event that is not JSON: <html>'))
  })
})
