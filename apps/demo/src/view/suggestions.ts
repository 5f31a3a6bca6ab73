/** Prints what the program can do, and requests to try. */
import type { DomainEntry } from '../domains/domain.ts'
import { showLabelled } from './live-view.ts'
import { wrap } from './plain-text.ts'
import type { Terminal } from './terminal.ts'

/** Prints each domain with two requests. */
export function showAbilities(terminal: Terminal, entries: readonly DomainEntry[]): void {
  for (const { title, examples } of entries) {
    terminal.line(terminal.paint('bold', title))
    for (const example of examples.slice(0, 2)) {
      const [first = '', ...rest] = wrap(example, terminal.width - 4)
      terminal.line(`  ${first}`)
      for (const text of rest) terminal.line(`    ${text}`)
    }
  }
}

/** Prints requests to try instead of one that wasn't served. */
export function showSuggestions(terminal: Terminal, suggestions: readonly string[]): void {
  for (const [index, suggestion] of suggestions.entries()) showLabelled(terminal, index === 0 ? 'try' : '', 'magenta', suggestion)
}
