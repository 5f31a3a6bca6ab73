/** How an engine's name and the ids of its runs are written in DBOS. */
import { createHash } from 'node:crypto'

/** Topic of the one kind of messages that a run gets. */
export const DECISIONS = 'decisions'
/** Event in which a run says what it waits for. */
export const WAITS_FOR = 'waits_for'

export interface Names {
  /** DBOS keeps applications apart: what one lists, dequeues and takes over is its own. */
  readonly application: string
  readonly queue: string
  readonly workflow: string
  /** Versions of different applications must have different names. */
  version(version: string): string
  workflowId(id: string): string
  runId(workflowId: string): string
}

export function namesOf(name: string): Names {
  const application = `x-durable/${name}`
  // Neither a name nor an id has a slash.
  return {
    application,
    queue: application,
    workflow: name,
    version: (version) => `${name}/${version}`,
    workflowId: (id) => `${name}/${id}`,
    runId: (workflowId) => workflowId.slice(name.length + 1),
  }
}

/** A message of the same key as an earlier one to the same run is dropped, for ever: so the first decision stays. */
export function decisionKey(decision: string): string {
  return `decision-${createHash('sha256').update(JSON.stringify(decision)).digest('hex')}`
}

/** As the primary key of the table of messages. */
export function messageId(decision: string, workflowId: string): string {
  return `${decisionKey(decision)}::${workflowId}`
}
