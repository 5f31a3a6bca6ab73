/** Whether a spec still says what it said when something was made of it: programs do change what is only read here. */
import type { ToolSpec } from '@x/tool-core'

export type SpecSnapshot = Readonly<ToolSpec['function']>

export function snapshotOf({ function: { name, description, parameters } }: ToolSpec): SpecSnapshot {
  return { name, description, parameters }
}

export function isUnchanged({ function: now }: ToolSpec, { name, description, parameters }: SpecSnapshot): boolean {
  return now.name === name && now.description === description && now.parameters === parameters
}
