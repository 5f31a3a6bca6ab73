/** Plays the features one after another and prints the result of each. */
import { createFindings } from '../example-runs/findings.ts'
import { showLabelled } from '../view/live-view.ts'
import { duration, wrap } from '../view/plain-text.ts'
import type { Feature, FeatureStage } from './feature.ts'

/** Resolves to the number of features that worked. Rejects if a model fails or `signal` aborts. */
export async function playFeatures(features: readonly Feature[], stage: Omit<FeatureStage, 'findings'>): Promise<number> {
  const { terminal } = stage
  const { line, paint, width } = terminal
  let worked = 0
  for (const { title, packages, play } of features) {
    line()
    for (const text of wrap(`${title} (${packages})`, width)) line(paint('bold', text))
    const findings = createFindings()
    const started = performance.now()
    await play({ ...stage, findings })
    for (const problem of findings.problems) showLabelled(terminal, 'wrong', 'red', problem)
    const passed = findings.problems.length === 0
    if (passed) worked++
    line(`  ${passed ? paint('green', '✓') : paint('red', '✗')} ${paint('dim', duration(performance.now() - started))}`)
  }
  return worked
}
