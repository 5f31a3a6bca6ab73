/** The texts of this package that a model reads. */

/** Describes a search tool. `callWith` is the tool that calls the found ones, if the model can't call them by their names. */
export function searchDescription(callWith: string | undefined): string {
  const how =
    callWith === undefined
      ? 'You can call the tools that a search returns.'
      : `Call the tools that a search returns with ${callWith}.`
  return `Find tools for a task. More tools exist than the ones you can see: search before you say that something cannot be done. ${how}`
}

export const QUERY_DESCRIPTION = 'What the tool should do, in a few words, e.g. "convert currency"'

export const TOO_MANY_TOOLS =
  'No more tools can be added. Use the tools that you have, or explain what you cannot do without the others.'

export function notLoaded(tool: string): string {
  return `The tool "${tool.slice(0, 100)}" is not available right now, because it could not be loaded. Continue without it.`
}

/** Returns the message for arguments that aren't a single JSON object, or that another parser would read differently. */
export function unreadable(tool: string): string {
  return `The arguments of "${tool.slice(0, 100)}" must be a single JSON object, without duplicate keys and without numbers of more than 15 digits. Write them again.`
}

/** The message for a call in another API's form. The application made this mistake, not the model. */
export const OTHER_FORM =
  'The call has the form of another API. Pass { id, name, args } or { id, name, arguments }. Chat Completions: { id: call.id, ...call.function }. AI SDK: { id: call.toolCallId, name: call.toolName, args: call.input }. Anthropic: { id: call.id, name: call.name, args: call.input }.'

/** The message for a call with arguments in the wrong property, or in both properties. The application made this mistake, not the model. */
export const MIXED_UP =
  'The arguments are in the wrong property, or in both. Pass them parsed, as { id, name, args }, or as JSON text, as { id, name, arguments }.'
