/** How steps that ended are written into one record of an engine: a line of JSON for each. */
import { type FailureWords, RecordedFailure } from '@x/react-agent/steps'
import { toFailureWords } from './failure.ts'
import { toJsonText } from './json-text.ts'

/** How a step ended. */
export interface StepEnd {
  readonly key: string
  readonly isFailed: boolean
  /** What it gave, a new value each time; throws what it failed with. */
  give(): unknown
}

/** Throws `invalid_value` for what is no plain data. */
export function toRecordedStep(key: string, value: unknown): string {
  const json = toJsonText(value, `What the step ${JSON.stringify(key)} gave`)
  return `{"step":${JSON.stringify(key)}${json === undefined ? '' : `,"value":${json}`}}\n`
}

export function toFailedStep(key: string, cause: unknown): string {
  return `${JSON.stringify({ step: key, failure: toFailureWords(cause) })}\n`
}

/** Reads a record. Lines that are none, which a later version may write, are left out. */
export function readSteps(record: string): readonly StepEnd[] {
  return record.split('\n').flatMap((line) => (line === '' ? [] : readStep(line)))
}

function readStep(line: string): StepEnd | readonly [] {
  const { step, failure } = JSON.parse(line) as { readonly step?: unknown; readonly failure?: FailureWords }
  if (typeof step !== 'string') return []
  if (failure !== undefined)
    return {
      key: step,
      isFailed: true,
      give: () => {
        throw new RecordedFailure(failure)
      },
    }
  return { key: step, isFailed: false, give: () => (JSON.parse(line) as { readonly value?: unknown }).value }
}
