/** Sends decisions to runs. */
import { checkDecision } from '../engine/check-decision.ts'
import { assertKey } from '../engine/closing-steps.ts'
import { toJsonText } from '../engine/json-text.ts'
import { assertSameDecision, runEnded, unknownRun } from '../engine/run-errors.ts'
import { DECISIONS, decisionKey, type Names } from './names.ts'
import { isOver } from './run-status.ts'
import type { Store } from './store.ts'
import { readDecision, readWaits } from './tables.ts'
import { wakeDecided } from './waiting.ts'

/**
 * Sends a decision as a message. The run receives it now, or later when it waits for it. DBOS drops a second message with the
 * same key, even if the run has received the first one, so the first decision is final. Reads the stored decision back, and
 * rejects if it is different.
 */
export async function decide({ client, pool }: Store, names: Names, id: string, name: string, value: unknown): Promise<void> {
  assertKey(name)
  const workflowId = names.workflowId(id)
  const text = toJsonText(value, `The decision for ${JSON.stringify(name)}`)
  const workflow = await client.getWorkflow(workflowId)
  if (workflow === undefined) throw unknownRun(id)
  if (isOver(workflow)) throw runEnded(id)
  checkDecision(name, value, (await readWaits(pool, [workflowId])).get(workflowId) ?? [])
  const plain = { serializationType: 'portable' } as const
  await client.send(workflowId, JSON.stringify({ name, text }), DECISIONS, decisionKey(name), plain)
  await wakeDecided(pool, names, workflowId)
  const first = await readDecision(pool, workflowId, name)
  assertSameDecision(id, name, first?.text === undefined ? undefined : JSON.parse(first.text), value)
}
