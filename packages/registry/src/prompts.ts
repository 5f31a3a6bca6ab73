/** Text that a model reads. */

export const SEARCH_DESCRIPTION =
  'Find tools for a task. More tools exist than the ones you can see: search before you say that something cannot be done. You can call the tools that a search returns.'

export const QUERY_DESCRIPTION = 'What the tool should do, in a few words, e.g. "convert currency"'

export const TOO_MANY_TOOLS =
  'No more tools can be added. Use the tools that you have, or explain what cannot be done without the withheld ones.'

export function notLoaded(tool: string): string {
  return `The tool "${tool.slice(0, 100)}" is not available right now, because it could not be loaded. Continue without it.`
}
