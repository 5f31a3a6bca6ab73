/** A workload of the `wire` bench: writes the request for one step of an agent with many tools. */
import type { LMRequest, Message } from '@x/adapters'
import type { ToolSpec } from '@x/tool-core'
import type { Workload } from '../bench.ts'

/** The exports of a subject's module. */
export interface StepSubject {
  /** Prepares everything that is known before the first step. */
  prepareSteps(wire: string, request: LMRequest): StepWriter | Promise<StepWriter>
}

/** Returns the text of the request after appending one message. */
export type StepWriter = (message: Message) => string | Promise<string>

/** Number of steps per run. The first step in a process fills caches that later steps use. */
const STEPS = 5

export async function openSteps(subject: StepSubject, wire: string, count: number): Promise<Workload> {
  const write = await subject.prepareSteps(wire, { messages: HISTORY, tools: makeTools(count) })
  let asked = 0
  const step = async () => {
    const question = `And in city ${asked++}?`
    return { question, text: await write({ role: 'user', content: question }) }
  }
  return {
    units: STEPS,
    async verify() {
      const { question, text } = await step()
      const body: unknown = JSON.parse(text)
      const written = JSON.stringify(body)
      const missing = [question, 'look_up_0', `look_up_${count - 1}`, TOOL_WORDS, 'look_up_1"'].find(
        (part) => !written.includes(part),
      )
      if (missing !== undefined) throw new Error(`The subject did different work: ${missing} is missing from the request.`)
    },
    async run() {
      for (let left = STEPS; left > 0; left--) {
        const { text } = await step()
        if (text.length < count * LEAST_TOOL)
          throw new Error(`The subject did different work: its request has only ${text.length} characters for ${count} tools.`)
      }
    },
  }
}

/** Minimum length of a serialized tool in any API. */
const LEAST_TOOL = 400

const TOOL_WORDS = 'Looks something up in list'

const HISTORY: readonly Message[] = [
  { role: 'system', content: 'Answer briefly.' },
  { role: 'user', content: 'How warm is it in Oslo?' },
  {
    role: 'assistant',
    content: '',
    toolCalls: [{ id: 'abcdefghi', name: 'look_up_1', arguments: '{"city":"Oslo"}' }],
  },
  { role: 'tool', callId: 'abcdefghi', name: 'look_up_1', content: '{"degrees":21}' },
]

/** Creates tools of a realistic size: four properties, including an enum, a list and an object. */
function makeTools(count: number): readonly ToolSpec[] {
  return Array.from({ length: count }, (_, index) => ({
    type: 'function' as const,
    function: {
      name: `look_up_${index}`,
      description: `${TOOL_WORDS} ${index}, by city and day.`,
      parameters: {
        type: 'object',
        properties: {
          city: { type: 'string', description: 'City name, e.g. "Oslo".' },
          unit: { type: 'string', enum: ['celsius', 'fahrenheit'] },
          days: { type: 'array', items: { type: 'integer' }, description: 'Days from today.' },
          place: { type: 'object', properties: { lat: { type: 'number' }, lon: { type: 'number' } }, required: ['lat', 'lon'] },
        },
        required: ['city'],
      },
    },
  }))
}
