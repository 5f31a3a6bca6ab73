/** Maps the engine's name and run ids to the names that DBOS uses. */
import { createHash } from 'node:crypto'

/** Message topic for decisions. Runs receive no other messages. */
export const DECISIONS = 'decisions'
/** Event in which a run publishes its pending decisions. */
export const WAITS_FOR = 'waits_for'

export interface Names {
  /** Name of the application. In DBOS, an application lists, dequeues and recovers only its own workflows. */
  readonly application: string
  readonly queue: string
  /** Queue for runs that may be killing their workers. */
  readonly suspects: string
  readonly workflow: string
  /**
   * Returns the name of a version in DBOS. It includes the engine's name, because all applications share DBOS's version tables.
   */
  version(version: string): string
  /** Returns the engine's version for the name of a version in DBOS. */
  ownVersion(version: string): string
  workflowId(id: string): string
  runId(workflowId: string): string
}

export function namesOf(name: string): Names {
  const application = `x-durable/${name}`
  // Neither names nor ids contain a slash, so it can separate them.
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

/**
 * Returns the idempotency key of a decision. DBOS drops a second message with the same key to the same run, so the first decision
 * is final.
 */
export function decisionKey(decision: string): string {
  return `decision-${createHash('sha256').update(JSON.stringify(decision)).digest('hex')}`
}

/** Returns the primary key of a decision in DBOS's table of messages. */
export function messageId(decision: string, workflowId: string): string {
  return `${decisionKey(decision)}::${workflowId}`
}

/** Returns the same key as `messageId`, as an SQL expression. `json` is an expression for the decision's name as JSON text. */
export function decisionId(json: string, workflowId: string): string {
  return `'decision-' || encode(sha256(convert_to(${json}, 'UTF8')), 'hex') || '::' || ${workflowId}`
}
