/** Maps an engine's name and its run ids to names in DBOS. */
import { createHash } from 'node:crypto'

/** Topic for decisions, the only messages that a run receives. */
export const DECISIONS = 'decisions'
/** The event with which a run publishes its pending decisions. */
export const WAITS_FOR = 'waits_for'

export interface Names {
  /** DBOS separates applications: each one lists, dequeues and recovers only its own workflows. */
  readonly application: string
  readonly queue: string
  /** The queue for runs that are suspected of killing their workers. */
  readonly suspects: string
  readonly workflow: string
  /** Returns the version's name in DBOS. All applications share DBOS's version tables, so it includes the engine's name. */
  version(version: string): string
  /** Returns the engine's own version for a version's name in DBOS. */
  ownVersion(version: string): string
  workflowId(id: string): string
  runId(workflowId: string): string
}

export function namesOf(name: string): Names {
  const application = `x-durable/${name}`
  // Neither names nor ids contain a slash.
  return {
    application,
    queue: application,
    suspects: `${application}/suspects`,
    workflow: name,
    version: (version) => `${name}/${version}`,
    ownVersion: (version) => version.slice(name.length + 1),
    workflowId: (id) => `${name}/${id}`,
    runId: (workflowId) => workflowId.slice(name.length + 1),
  }
}

/** DBOS drops a message with the same key as an earlier one to the same run, so the first decision is final. */
export function decisionKey(decision: string): string {
  return `decision-${createHash('sha256').update(JSON.stringify(decision)).digest('hex')}`
}

/** Returns the primary key of a decision in DBOS's table of messages. */
export function messageId(decision: string, workflowId: string): string {
  return `${decisionKey(decision)}::${workflowId}`
}

/** Like `messageId`, as an SQL expression. `json` is the decision's name as JSON text. */
export function decisionId(json: string, workflowId: string): string {
  return `'decision-' || encode(sha256(convert_to(${json}, 'UTF8')), 'hex') || '::' || ${workflowId}`
}
