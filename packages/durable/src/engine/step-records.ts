/** How steps that ended are written into one record of an engine: a line of JSON for each. */
import { type FailureWords, RecordedFailure } from '@x/react-agent/steps'
import { toFailureWords } from './failure.ts'
import { toJsonText } from './json-text.ts'

/** How a step ended. */
export interface StepEnd {
  readonly key: string
  readonly isFailed: boolean
  /** As it stands in a record, without its line feed. */
  readonly line: string
  /** What it gave, a new value each time; throws what it failed with. */
  give(): unknown
}

/** Throws `invalid_value` for what is no plain data. */
export function toRecordedStep(key: string, value: unknown): StepEnd {
  const json = toJsonText(value, `What the step ${JSON.stringify(key)} gave`)
  return recordedStep(key, `{"step":${JSON.stringify(key)}${json === undefined ? '' : `,"value":${json}`}}`)
}

export function toFailedStep(key: string, cause: unknown): StepEnd {
  const failure = toFailureWords(cause)
  return failedStep(key, JSON.stringify({ step: key, failure }), failure)
}

/** Reads a record. Lines that are none, which a later version may write, are left out. */
export function readSteps(record: string): readonly StepEnd[] {
  return record.split('\n').flatMap((line) => (line === '' ? [] : readStep(line)))
}

function readStep(line: string): StepEnd | readonly [] {
  const { step, failure } = JSON.parse(line) as { readonly step?: unknown; readonly failure?: FailureWords }
  if (typeof step !== 'string') return []
  return failure === undefined ? recordedStep(step, line) : failedStep(step, line, failure)
}

function recordedStep(key: string, line: string): StepEnd {
  return { key, isFailed: false, line, give: () => (JSON.parse(line) as { readonly value?: unknown }).value }
}

function failedStep(key: string, line: string, failure: FailureWords): StepEnd {
  const give = () => {
    throw new RecordedFailure(failure)
  }
  return { key, isFailed: true, line, give }
}
