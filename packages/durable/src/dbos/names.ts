/** Represents an engine's name and its run ids in DBOS. */
import { createHash } from 'node:crypto'

/** Topic for decisions, the only messages that a run receives. */
export const DECISIONS = 'decisions'
/** The event with which a run publishes its pending decisions. */
export const WAITS_FOR = 'waits_for'

export interface Names {
  /** DBOS separates applications: each lists, dequeues and recovers only its own workflows. */
  readonly application: string
  readonly queue: string
  readonly workflow: string
  /** Versions of different applications need different names. */
  version(version: string): string
  workflowId(id: string): string
  runId(workflowId: string): string
}

export function namesOf(name: string): Names {
  const application = `x-durable/${name}`
  // Neither names nor ids contain a slash.
  return {
    application,
    queue: application,
    workflow: name,
    version: (version) => `${name}/${version}`,
    workflowId: (id) => `${name}/${id}`,
    runId: (workflowId) => workflowId.slice(name.length + 1),
  }
}

/** DBOS drops a message with the same key as an earlier one to the same run, so the first decision is final. */
export function decisionKey(decision: string): string {
  return `decision-${createHash('sha256').update(JSON.stringify(decision)).digest('hex')}`
}

/** The primary key in the table of messages. */
export function messageId(decision: string, workflowId: string): string {
  return `${decisionKey(decision)}::${workflowId}`
}
