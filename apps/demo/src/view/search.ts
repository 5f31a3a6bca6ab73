/** What a search among many tools cost, and what it spared the model. */
import { showLabelled } from './live-view.ts'
import { duration, wrap } from './plain-text.ts'
import type { Terminal } from './terminal.ts'

/** What was measured. Times in milliseconds, sizes in bytes of JSON. */
export interface SearchReport {
  readonly tools: number
  readonly renamed: number
  /** To make the lazy tools and the registry. */
  readonly buildMs: number
  readonly searches: number
  /** Of all searches, the making of the index and of what was found included. */
  readonly searchMs: number
  /** Names in the last request, without the search itself. */
  readonly revealed: readonly string[]
  /** Loaders that were run. */
  readonly loaded: number
  /** Of the last request. */
  readonly requestBytes: number
  /** Of the same request with all tools and without the search. */
  readonly allBytes: number
}

/** No line is wider than the terminal. */
export function showSearch(terminal: Terminal, report: SearchReport): void {
  const { tools, renamed, buildMs, searches, searchMs, revealed, loaded, requestBytes, allBytes } = report
  const show = (label: string, text: string) => showLabelled(terminal, label, 'cyan', text)
  terminal.line()
  const names = renamed === 0 ? '' : `, ${count(renamed)} of them renamed, as their names were not legal or already taken`
  show('registry', `${count(tools)} lazy tools${names}; built in ${duration(buildMs)}`)
  show('search', searches === 0 ? 'none' : `${searches} in ${duration(searchMs)}, with the index`)
  show('revealed', revealed.length === 0 ? 'none' : `${revealed.length}: ${revealed.join(', ')}`)
  show('loaded', `${count(loaded)} of ${count(tools)}`)
  show('request', `${count(requestBytes)} bytes; ${count(allBytes)} with all tools: ${saved(requestBytes, allBytes)} smaller`)
  terminal.line()
  for (const text of wrap(NOTE, terminal.width)) terminal.line(terminal.paint('dim', text))
}

const NOTE = 'The tools are descriptions without an implementation: a call of one fails, and says so.'

/** Rounded down, so that it never says more than there is. */
function saved(bytes: number, all: number): string {
  return `${(Math.floor(1000 * (1 - bytes / all)) / 10).toFixed(1)} %`
}

function count(value: number): string {
  return value.toLocaleString('en-US')
}
