/** Fills enumerations and booleans. */

import type { Parameter } from '../tools/parameters.ts'
import { type Draft, take, unfilled } from './draft.ts'
import { matchChoice, matchSwitch } from './match-choices.ts'

/** Fills each enumeration and boolean if the clause names a value for it. */
export function fillChoices(draft: Draft, parameters: readonly Parameter[]): void {
  const { tokens } = draft.clause
  for (const parameter of unfilled(draft, parameters)) {
    if (parameter.type === 'boolean') {
      const value = matchSwitch(parameter, tokens)
      if (value !== undefined) draft.args.set(parameter.name, value)
    } else if (parameter.choices !== undefined) {
      const match = matchChoice(parameter, tokens)
      if (match === undefined || (!parameter.required && draft.used.has(match.from))) continue
      draft.args.set(parameter.name, match.value)
      draft.sure.add(parameter.name)
      take(draft, match.from, match.to)
    }
  }
}
