/** Finds the facts of a model by its name on any host: `gpt-5`, `openai/gpt-5`, `us.anthropic.claude-opus-4-7-v1:0`. */
import type { FactFamily, FactRow, ModelFacts, ResolvedFacts } from './model-facts.ts'

/** Longer names are cut, because no known name is nearly as long. */
const MAX_LENGTH = 300

/** Returns the facts of a model on a wire. `own` are facts that the caller gave: they override those of the table. */
export function findFacts(model: string, families: readonly FactFamily[], wire: string, own: ModelFacts = NONE): ResolvedFacts {
  const row = findRow(model, families)
  const source = row === undefined ? 'unknown' : row.assumed ? 'assumed' : 'table'
  return { ...row?.facts, ...row?.on?.[wire], ...own, source }
}

const NONE: ModelFacts = {}

/** Returns the first row that matches one of the possible names of the model. */
export function findRow(model: string, families: readonly FactFamily[]): FactRow | undefined {
  for (const name of namesOf(model)) {
    for (const { rename, rows } of families) {
      const own = rename?.(name) ?? name
      const row = rows.find(({ models }) => models.some((start) => isMatch(own, start)))
      if (row !== undefined) return row
    }
  }
  return undefined
}

/** Returns the name without a path, then also without the prefixes of fine-tuned models, of providers and of regions. */
function namesOf(model: string): readonly string[] {
  const name = model.slice(-MAX_LENGTH).toLowerCase()
  const last = name.slice(name.lastIndexOf('/') + 1)
  const tuned = last.startsWith('ft:') ? (last.split(':', 2)[1] ?? '') : last
  const local = tuned.replace(/^(?:[a-z-]+\.)+/, '')
  const behindColon = tuned.slice(tuned.indexOf(':') + 1)
  return [...new Set([tuned, local, behindColon])]
}

/** True if the name starts with `start`, and what follows isn't a further part of its version number. */
function isMatch(name: string, start: string): boolean {
  if (start.endsWith('*')) return name.startsWith(start.slice(0, -1))
  return name.startsWith(start) && /^(?:$|[:@]|-(?!\d{1,2}(?![\da-z])))/.test(name.slice(start.length))
}
