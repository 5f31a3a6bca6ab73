/** Finds the facts of a model by its name on any host: `gpt-5`, `openai/gpt-5`, `us.anthropic.claude-opus-4-7-v1:0`. */
import type { FactFamily, FactRow, ModelFacts, ResolvedFacts } from './model-facts.ts'

/** Maximum length of a name, in characters. Only the end of a longer name is used. No known name is nearly as long. */
const MAX_LENGTH = 300

export interface FindOptions {
  /** Facts from the caller, which override those of the table. */
  readonly own?: ModelFacts | undefined
  /** Facts to assume for models that aren't in the table. */
  readonly unknown?: ModelFacts | undefined
}

/** Returns the facts of a model on a wire. */
export function findFacts(
  model: string,
  families: readonly FactFamily[],
  wire: string,
  { own, unknown }: FindOptions = {},
): ResolvedFacts {
  const found = findRow(model, families)
  if (found === undefined) return { ...unknown, ...own, source: 'unknown' }
  const { row, family } = found
  const source = row.assumed ? 'assumed' : 'table'
  return { ...row.facts, ...family.on?.[wire], ...row.on?.[wire], ...own, source }
}

/** Returns the first row that matches one of the possible names of the model, with its family. */
function findRow(
  model: string,
  families: readonly FactFamily[],
): { readonly row: FactRow; readonly family: FactFamily } | undefined {
  for (const name of namesOf(model)) {
    for (const family of families) {
      const local = family.rename?.(name) ?? name
      const row = family.rows.find(({ models }) => models.some((start) => isMatch(local, start)))
      if (row !== undefined) return { row, family }
    }
  }
  return undefined
}

/** Returns the names to look up: the name without its path, and also without the prefixes for fine-tuning, providers and regions. */
function namesOf(model: string): readonly string[] {
  const name = model.slice(-MAX_LENGTH).toLowerCase()
  const last = name.slice(name.lastIndexOf('/') + 1)
  const tuned = last.startsWith('ft:') ? (last.split(':', 2)[1] ?? '') : last
  const local = tuned.replace(/^(?:[a-z-]+\.)+/, '')
  const behindColon = tuned.slice(tuned.indexOf(':') + 1)
  return [...new Set([tuned, local, behindColon])]
}

/** True if the name starts with `start`, and the rest of the name doesn't continue its version number. */
function isMatch(name: string, start: string): boolean {
  if (start.endsWith('*')) return name.startsWith(start.slice(0, -1))
  return name.startsWith(start) && /^(?:$|[:@]|-(?!\d{1,2}(?![\da-z])))/.test(name.slice(start.length))
}
