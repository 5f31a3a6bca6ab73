/** Prints the cost of a search over many tools, and the savings in the request. */
import { showLabelled } from './live-view.ts'
import { duration, wrap } from './plain-text.ts'
import type { Terminal } from './terminal.ts'

/** Measurements. Times in milliseconds, sizes in bytes of JSON. */
export interface SearchReport {
  readonly tools: number
  readonly renamed: number
  /** Time to create the lazy tools and the registry. */
  readonly buildMs: number
  readonly searches: number
  /** Duration of all searches, including building the index and loading the results. */
  readonly searchMs: number
  /** Names of the tools in the search results of the last request. */
  readonly revealed: readonly string[]
  /** Number of tools that were loaded. */
  readonly loaded: number
  /** Size of the last request. */
  readonly requestBytes: number
  /** Size of the same request with all tools and without the search tool. */
  readonly allBytes: number
}

/** Prints a report that fits the width of the terminal. */
export function showSearch(terminal: Terminal, report: SearchReport): void {
  const { tools, renamed, buildMs, searches, searchMs, revealed, loaded, requestBytes, allBytes } = report
  const show = (label: string, text: string) => showLabelled(terminal, label, 'bold', text)
  terminal.line()
  const names = renamed === 0 ? '' : `, ${count(renamed)} renamed because their names were invalid or already taken`
  show('registry', `${count(tools)} lazy tools${names}; built in ${duration(buildMs)}`)
  show('search', searches === 0 ? 'none' : `${searches} in ${duration(searchMs)}, including the index`)
  show('revealed', revealed.length === 0 ? 'none' : `${revealed.length}: ${revealed.join(', ')}`)
  show('loaded', `${count(loaded)} of ${count(tools)}`)
  show('request', `${count(requestBytes)} bytes; ${count(allBytes)} with all tools: ${saved(requestBytes, allBytes)} smaller`)
  terminal.line()
  for (const text of wrap(NOTE, terminal.width)) terminal.line(terminal.paint('dim', text))
}

const NOTE = 'The tools are descriptions without an implementation, so calling them returns an error.'

/** Returns the percentage that was saved, rounded down so that it is never overstated. */
function saved(bytes: number, all: number): string {
  return `${(Math.floor(1000 * (1 - bytes / all)) / 10).toFixed(1)} %`
}

function count(value: number): string {
  return value.toLocaleString('en-US')
}
