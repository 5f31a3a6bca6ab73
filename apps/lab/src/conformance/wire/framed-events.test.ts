import type { Framing } from '@x/adapters/wire'
import { describe, expect, it } from 'vitest'
import { CUTTINGS, cutBytes } from './cuttings.ts'
import { readEvents, toBytes } from './framed-events.ts'
import { checkRawBody } from './raw-body.ts'

const CHUNKS: Readonly<Record<Framing, readonly object[]>> = {
  sse: [{ type: 'a', text: 'Grüße 🌦' }, { code: 1, _event: 'error' }, {}],
  ndjson: [{ message: { content: 'Grüße 🌦' } }, {}],
  'aws-event-stream': [{ contentBlockDelta: { text: 'Grüße 🌦' } }, { throttlingException: { message: 'No.' } }],
}

describe.each(Object.entries(CHUNKS))('the framing %s', (name, chunks) => {
  const framing = name as Framing

  it('returns the written events for any chunk boundaries', async () => {
    const bytes = toBytes(chunks, framing)
    for (let cutting = 0; cutting < CUTTINGS; cutting++)
      expect(await readEvents(cutBytes(bytes, cutting), framing)).toEqual(chunks)
  })
})

describe('an undecoded body', () => {
  const body_base64 = Buffer.from(toBytes(CHUNKS['aws-event-stream'], 'aws-event-stream')).toString('base64')

  it('passes when it contains the expected number of events', async () => {
    const bodies = [
      { id: 'a', framing: 'sse', events: 2, body: 'data: 1\n\n: note\n\ndata: 2\n\n' },
      { id: 'b', framing: 'ndjson', events: 2, body: '1\n\n2' },
      { id: 'c', framing: 'aws-eventstream', events: 2, body_base64 },
    ]
    for (const one of bodies) expect(await checkRawBody(one)).toMatchObject({ outcome: 'passed', counted: [2] })
  })

  it('fails when it contains more or fewer, or cannot be read', async () => {
    const wrong = { id: 'a', framing: 'ndjson', events: 3, body: '1\n2' }
    expect(await checkRawBody(wrong)).toMatchObject({ outcome: 'failed', faults: ['events: expected 3, found 2'] })
    expect(await checkRawBody({ ...wrong, body: '1\n<html>' })).toMatchObject({ outcome: 'failed' })
    const cut = { id: 'c', framing: 'aws-eventstream', events: 2, body_base64: body_base64.slice(0, -8) }
    expect(await checkRawBody(cut)).toMatchObject({ outcome: 'failed' })
  })

  it('is skipped when its framing has no reader', async () => {
    expect(await checkRawBody({ id: 'd', framing: 'websocket', events: 1, body: 'x' })).toMatchObject({ outcome: 'skipped' })
  })
})
