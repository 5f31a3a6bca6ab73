/** Messages about calls, written for a model. Messages about single issues are in `schema/validators/issues/words.ts`. */

const MAX_LISTED = 20

/** Returns the message for a call to a tool that doesn't exist. */
export function noSuchTool(name: string, nearest: string | undefined, names: readonly string[]): string {
  const hint = nearest === undefined ? '' : ` Did you mean "${nearest}"?`
  return `There is no tool ${JSON.stringify(name)}.${hint} ${toolList(names)}`
}

/** Returns the message for a call without a name, such as a call in a provider's own format. */
export function namelessCall(names: readonly string[]): string {
  const form = "Pass { id, name, args } with parsed args. An adapter extracts such calls from a model's reply."
  return `The call has no name. ${form} ${toolList(names)}`
}

function toolList(names: readonly string[]): string {
  if (names.length === 0) return 'There are no tools.'
  const more = names.length > MAX_LISTED ? ` and ${names.length - MAX_LISTED} more` : ''
  return `Tools: ${names.slice(0, MAX_LISTED).join(', ')}${more}.`
}

export function approvalRefused(name: string, reason: string): string {
  return `"${name}" was not run: it requires approval, and ${reason}`
}

/** Why an approval was refused, and what the model can do next. */
export const REFUSALS = {
  unavailable: "approval can't be requested here. Tell the user.",
  tooLong: 'its arguments are too long to be shown for approval. Shorten them.',
  failed: 'the request for approval failed. Tell the user.',
  denied: "approval was denied. Don't make the same call again. Try something else, or explain why the task can't be done.",
} as const

/** Returns the message for a timeout. `subject` names what timed out, e.g. `"search"` or `the onError hook of "search"`. */
export function timedOutText(subject: string, timeoutMs: number): string {
  return `${subject} did not finish within ${timeoutMs} ms.`
}

export function abortedText(subject: string): string {
  return `${subject} was aborted by the application.`
}

export function hookFailed(name: string, stage: string, message: string, wasRun: boolean): string {
  if (!wasRun) return `"${name}" was not run: its ${stage} hook failed: ${message}`
  return `"${name}" was run, but its ${stage} hook failed: ${message.replace(/\.?$/, '.')} Don't repeat the call unless repeating it is safe.`
}

export function toolFailed(name: string, message: string): string {
  return `"${name}" failed: ${message}`
}

export const NO_MESSAGE = 'the error has no message'

/** The start of a message that lists validation issues. */
export const ISSUES_OF = {
  invalid_arguments: (name: string) => `Invalid arguments for "${name}"`,
  invalid_context: (name: string) => `"${name}" cannot run here: a value that the application must provide is missing or invalid`,
  invalid_output: (name: string) => `"${name}" returned an output that does not match its schema`,
} as const

export const CARRIED_OUT = ' The call itself was carried out.'

const MAX_UNDECLARED = 5

/**
 * Lists the undeclared arguments that were removed, because one of them may be the misspelled name of a missing argument. Returns an empty
 * string for an empty list.
 */
export function undeclaredText(paths: readonly string[]): string {
  if (paths.length === 0) return ''
  const more = paths.length > MAX_UNDECLARED ? ` and ${paths.length - MAX_UNDECLARED} more` : ''
  return ` Undeclared arguments were ignored: ${paths.slice(0, MAX_UNDECLARED).join(', ')}${more}.`
}

/** Returns the message for a sequence or a parallel action that stopped, with its completed and interrupted steps. */
export function stoppedText(
  composition: string,
  step: string,
  message: string,
  completed: readonly string[],
  interrupted: readonly string[],
): string {
  const stopped = `"${composition}" stopped at step "${step}": ${message}`
  const others = [
    completed.length > 0 ? `Completed steps: ${completed.join(', ')}.` : '',
    interrupted.length > 0 ? `Interrupted steps, which may have taken effect: ${interrupted.join(', ')}.` : '',
  ].filter((part) => part !== '')
  return others.length === 0 ? stopped : [stopped.replace(/\.?$/, '.'), ...others].join(' ')
}

/** Returns the mark that replaces the removed part of a long value: `[truncated: 50 items in total]`. */
export function truncatedMark(total: number | string, unit: 'character' | 'item' | 'key' | 'part'): string {
  return `[truncated: ${total} ${unit}${total === 1 ? '' : 's'} in total]`
}

/** Returns the text that replaces an image or a file over the limit. */
export function leftOutMedia(
  { mediaType, name }: { mediaType: string; name?: string | undefined },
  bytes: number,
  most: number,
): string {
  const what = name === undefined ? mediaType : `${name}, ${mediaType}`
  return `[${what}, ${bytes} bytes: left out, because a result can contain at most ${most} bytes of images and files]`
}
