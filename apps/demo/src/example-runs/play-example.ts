/** Plays one example in its own directory, inspects the bank, and reports problems. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RequestRecord } from '../agent/session.ts'
import { whyNotServed } from '../evaluation/judge.ts'
import { showAnswer, showLabelled } from '../view/live-view.ts'
import { bankIn, readBookings } from './bank.ts'
import { createFindings } from './findings.ts'
import type { RunExample, Stage } from './run-example.ts'

export interface Played {
  readonly record: RequestRecord
  /** The problems. Empty if everything was as expected. */
  readonly problems: readonly string[]
}

/** Plays the example, and removes the directory afterwards. Rejects if the model fails or `signal` aborts. */
export async function playExample(example: RunExample, stage: Omit<Stage, 'folder' | 'findings'>): Promise<Played> {
  const { request, booked, endsEarly = false } = example
  const { terminal } = stage
  const folder = await mkdtemp(join(tmpdir(), 'demo-run-'))
  const findings = createFindings()
  try {
    const started = performance.now()
    const record = { ...(await example.play({ ...stage, folder, findings })), ms: performance.now() - started }
    const found = await readBookings(bankIn(folder))
    showLabelled(terminal, 'bank', 'bold', found.join('; ') || 'nothing')
    showAnswer(terminal, record)
    findings.expect('the bank booked', found, booked)
    findings.expect('the run answered', record.answered, !endsEarly)
    findings.expect('reason the request failed', whyNotServed(request, { ...record, answered: true }), undefined)
    return { record, problems: findings.problems }
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  }
}
