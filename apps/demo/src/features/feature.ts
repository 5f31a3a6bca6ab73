/** A feature of the packages that the tour shows: played, printed and checked. */
import type { LM } from '@x/adapters'
import { scriptedLM } from '@x/lm/testing'
import type { DomainEntry } from '../domains/domain.ts'
import type { Findings } from '../example-runs/findings.ts'
import { showLabelled } from '../view/live-view.ts'
import type { Style, Terminal } from '../view/terminal.ts'

export interface Feature {
  readonly name: string
  readonly title: string
  /** The packages that provide the feature. */
  readonly packages: string
  /** Plays the feature and prints what happens. Reports results that differ from the expected ones. */
  play(stage: FeatureStage): Promise<void>
}

export interface FeatureStage {
  readonly lm: LM
  readonly entries: readonly DomainEntry[]
  readonly terminal: Terminal
  readonly signal: AbortSignal
  readonly findings: Findings
}

/** Returns a function that prints texts with a label. */
export function printer({ terminal }: Pick<FeatureStage, 'terminal'>) {
  return (label: string, text: string, style: Style = 'bold') => showLabelled(terminal, label, style, text)
}

/** Returns a scripted model, for features that the rule-based model can't play. Prints a note that a script is used. */
export function playedBy(stage: Pick<FeatureStage, 'terminal'>, turns: Parameters<typeof scriptedLM>[0]): LM {
  printer(stage)('model', 'a script, because the rules only call tools', 'dim')
  return scriptedLM(turns)
}
