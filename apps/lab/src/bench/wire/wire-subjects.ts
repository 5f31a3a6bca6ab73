/** Our wire formats, and the baselines: `JSON.stringify` for a request with prepared tools, and `JSON.parse` for every event. */
import { DeltaCollector, type LMRequest } from '@x/adapters'
import { findWire } from '../../wires.ts'
import type { StepSubject, StepWriter } from './wire-step.ts'
import type { StreamSubject } from './wire-stream.ts'

/** The baseline. It reuses the tools and the history of our first request, so that only the message is new. */
export const stringify: StepSubject & StreamSubject = {
  onlyParses: true,
  prepareSteps(wire, request) {
    const body = bodyOf(wire, request)
    const place = ['messages', 'input', 'contents'].find((key) => Array.isArray(body[key])) ?? 'messages'
    const history = body[place] as readonly object[]
    return ({ content }) => JSON.stringify({ ...body, [place]: [...history, { role: 'user', content }] })
  },
  readStream(_, events) {
    for (const event of events) JSON.parse(event)
    return undefined
  },
}

export const own: StepSubject & StreamSubject = {
  prepareSteps(wire, request): StepWriter {
    const format = findWire(wire)
    return (message) => JSON.stringify(format.encode({ ...request, messages: [...request.messages, message] }, 'model'))
  },
  readStream(wire, events) {
    const decoder = findWire(wire).streamDecoder?.()
    const collector = new DeltaCollector()
    for (const event of events) for (const delta of decoder?.push(JSON.parse(event)) ?? []) collector.push(delta)
    for (const delta of decoder?.end() ?? []) collector.push(delta)
    return collector.response().toolCalls[0]?.arguments
  },
}

function bodyOf(wire: string, request: LMRequest): Record<string, unknown> {
  return findWire(wire).encode(request, 'model') as Record<string, unknown>
}
