/** Converts between the AI SDK's warnings and our losses. */
import type { SharedV3Warning } from '@ai-sdk/provider'
import type { Loss } from '@x/adapters'
import { arrayAt, fieldAt, optional, stringAt } from './read.ts'

export type Lose = (loss: Loss) => void

/** Reads the warnings of one reply, in the format of any version. */
export function readWarnings(result: unknown): readonly Loss[] {
  return arrayAt(result, 'warnings').map((warning) => {
    const type = stringAt(warning, 'type')
    const feature = stringAt(warning, 'feature') ?? stringAt(warning, 'setting')
    const tool = stringAt(fieldAt(warning, 'tool'), 'name')
    const note = stringAt(warning, 'details') ?? stringAt(warning, 'message')
    return {
      path: tool === undefined ? (PATHS.get(feature ?? '') ?? '') : '/tools',
      keyword: feature ?? (tool === undefined ? 'warning' : 'tool'),
      action: type?.startsWith('unsupported') ? 'dropped' : 'kept',
      ...optional({ tool, note }),
    }
  })
}

/** The request path for each feature that a warning can name. */
const PATHS = new Map([
  ['temperature', '/settings/temperature'],
  ['topP', '/settings/topP'],
  ['topK', '/settings/topK'],
  ['maxOutputTokens', '/settings/maxOutputTokens'],
  ['stopSequences', '/settings/stop'],
  ['seed', '/settings/seed'],
  ['presencePenalty', '/settings/presencePenalty'],
  ['frequencyPenalty', '/settings/frequencyPenalty'],
  ['reasoning', '/reasoning'],
  ['responseFormat', '/responseFormat'],
  ['toolChoice', '/toolChoice'],
])

export function unsupported(feature: string, details: string): SharedV3Warning {
  return { type: 'unsupported', feature, details }
}
