/** Checks that samples are read as expected. Converts them to turns for the other checks. */
import { typeOfValue } from '../../shaping/schema/keywords.ts'
import { ensure, ensureSame } from '../contract-error.ts'
import type { DialectCheckDefinition, DialectSample, SampleTurn } from '../dialect-check.ts'
import { readPieces, sorted, toReadCall } from './reading.ts'

export const SAMPLES_CHECK: DialectCheckDefinition = {
  id: 'samples',
  name: 'each sample yields its calls, its text and its reasoning, parsed whole and one character at a time',
  check({ dialect, samples }) {
    for (const { sample, tools } of samples) {
      for (const pieces of [[sample.text], sample.text.split('')]) {
        const { toolCalls, text, reasoning = '' } = readPieces(dialect, pieces, { tools })
        const found = toolCalls.map(toReadCall).map(([name, args]) => [name, sorted(args)])
        const shown = JSON.stringify(sample.text)
        ensureSame(
          found,
          sample.calls.map(({ name, args }) => [name, sorted(args)]),
          `The calls of the sample ${shown}`,
        )
        if (sample.content !== undefined) ensureSame(text.trim(), sample.content, `The text of the sample ${shown}`)
        if (sample.reasoning !== undefined) ensureSame(reasoning.trim(), sample.reasoning, `The reasoning of the sample ${shown}`)
        const isCut = toolCalls.some(({ truncated }) => truncated)
        ensure(!isCut, `A call of the sample ${shown} is marked as truncated`)
      }
    }
  },
}

export function toSampleTurns(samples: readonly DialectSample[]): readonly SampleTurn[] {
  return samples.map((sample) => {
    const calls = sample.calls.map(({ name, args }, index) => ({
      tool: sample.tools?.find((tool) => tool.function.name === name) ?? toolOf(name, args),
      call: { id: `call_${index}`, name, arguments: JSON.stringify(args) },
      args,
    }))
    return { sample, text: sample.text, calls, tools: sample.tools ?? calls.map(({ tool }) => tool) }
  })
}

function toolOf(name: string, args: Readonly<Record<string, unknown>>) {
  const properties = Object.fromEntries(Object.entries(args).map(([key, value]) => [key, { type: typeOfValue(value) }]))
  const parameters = { type: 'object', properties, required: Object.keys(args) }
  return { type: 'function', function: { name, description: 'A sample tool.', parameters } } as const
}
