/** All texts of this package that are shown to a model or a user. */

/** Returns the line that precedes the text of an embedded resource. */
export function resourceHeading(uri: string): string {
  return `Resource ${uri}:`
}

/** Returns the text for a link to a resource. The model may pass the link to another tool. */
export function resourceLink(link: {
  uri: string
  name: string
  mimeType: string | undefined
  description: string | undefined
}): string {
  const kind = link.mimeType === undefined ? '' : `, ${link.mimeType}`
  return `Link to a resource: ${link.name} <${link.uri}>${kind}${link.description === undefined ? '' : `: ${link.description}`}`
}

/** Replaces an image or a file that models can't read. */
export function unreadableMedia(mediaType: string): string {
  return `[The server sent ${mediaType} data that can't be read.]`
}

/** Replaces a content part whose type this version doesn't know. */
export function unknownPart(type: string): string {
  return `[The server sent content of the type ${JSON.stringify(type.slice(0, 64))}, which can't be shown.]`
}

/** Replaces data that another part of the same result shows. */
export const SHOWN_ABOVE = '[shown above]'

export function toolFailed(text: string): string {
  return text === '' ? 'The tool failed without an error message.' : text
}

export function timedOut(tool: string, timeoutMs: number): string {
  return `"${tool}" did not finish within ${timeoutMs} ms.`
}

export function unknownOutcome(tool: string): string {
  return `The connection was lost while "${tool}" was running. It may or may not have taken effect. Check before you call it again.`
}

export function connectionLost(tool: string): string {
  return `The server of "${tool}" can't be reached. Nothing was done. You can try again later.`
}

export function rateLimited(tool: string): string {
  return `The server of "${tool}" refused the call because of too many requests. Nothing was done. Try again later.`
}

export function readLost(tool: string): string {
  return `The connection was lost while "${tool}" was running. You can try again.`
}

export function answerTooLarge(tool: string, maxBytes: number): string {
  return `The answer from "${tool}" is larger than the limit of ${maxBytes} bytes and was refused. The call itself was carried out. Ask for less.`
}

export function malformedAnswer(tool: string): string {
  return `The server sent an invalid answer to "${tool}". The call may have taken effect. Check before you call it again.`
}

export function serverRefused(tool: string, words: string): string {
  return `The server refused the call to "${tool}": ${words}`
}

export function invalidOutputSchema(tool: string): string {
  return `"${tool}" was not called, because its server declares an invalid output schema for it. Nothing was done.`
}

export function notAuthorized(tool: string): string {
  return `"${tool}" can't be called, because the user must authorize access first. Nothing was done.`
}

export function inputDeclined(tool: string): string {
  return `"${tool}" asked for a kind of input that isn't available here. The call was not completed. Continue without it, or tell the user.`
}

export function tooManyQuestions(tool: string, rounds: number): string {
  return `"${tool}" was stopped because it asked more questions. The limit is ${rounds} rounds per call. Don't call it again.`
}

export function tooManyAtOnce(tool: string, questions: number, most: number): string {
  return `"${tool}" asked ${questions} questions at once; the limit is ${most}. None of them was answered. Don't call it again.`
}

export function invalidStructure(tool: string, words: string): string {
  return `The server's answer to "${tool}" doesn't match its own output schema: ${words}. The call itself was carried out.`
}

export function closed(tool: string): string {
  return `"${tool}" can't be called any more, because the application closed the connection to its server. Nothing was done.`
}

export function answerFailed(tool: string): string {
  return `"${tool}" asked for input from the user, and no valid answer could be given. The call was not completed.`
}

export function faultyData(tool: string, words: string): string {
  return `The answer from "${tool}" was refused, because its values ${words}. The call itself was carried out.`
}

export function notApproved(tool: string): string {
  return `"${tool}" has changed on its server and must be approved again by the user before it can be called. Nothing was done.`
}

/** Returns the text that the user reads before the questions of a paused call, and in place of an empty question. */
export function inputNeeded(tool: string): string {
  return `"${tool}" needs input from the user.`
}

/** Asks the user to open a page, which isn't opened automatically. */
export function openPage(message: string, host: string, url: string): string {
  return `${message}\nOpen this page on ${host}, then continue: ${url}`
}

export function tooMuchAsked(tool: string): string {
  return `"${tool}" asked for input from the user, but the questions are too long. Nothing was answered.`
}

// Texts that `serveMcp` sends.

/** Hidden characters. Includes characters that take no space, such as the Hangul filler, and the Braille pattern without dots. */
const HIDDEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu

/**
 * Returns the message of an approval form. A model wrote the arguments, so hidden characters are made visible and nothing is shortened.
 */
export function approvalQuestion(name: string, args: object): string {
  const shown = JSON.stringify(args).replace(HIDDEN, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)
  return `Allow "${name}" to run with these arguments? ${shown}`
}

// Why an approval can't be requested. Each follows the message of the refused call, which ends with "Tell the user."

export const OLD_CLIENT_OVER_HTTP =
  'This client uses an earlier MCP revision over HTTP. Approvals need a client with revision 2026-07-28, or a connection over stdio.'
export const CLIENT_WITHOUT_FORMS = "This client can't show approval forms (MCP elicitation)."

export function notLoaded(name: string): string {
  return `"${name}" could not be loaded and was not run. Continue without it, or tell the user.`
}

export function deadlinePassed(name: string, timeoutMs: number): string {
  return `"${name}" did not finish within ${timeoutMs} ms. Calls that it had already made are not undone. Check their effects before you call it again.`
}

export function questionsUnavailable(name: string): string {
  return `"${name}" has a question for the user, but this client can't ask the user.`
}

export function declined(key: string): string {
  return `The user declined to answer the question "${key}".`
}

export function invalidQuestion(name: string, key: string): string {
  const keys = 'Its key must have at most 64 letters, digits, "_" or "-", start with a letter, and not start with "approve_".'
  const schemas = 'Its schema must be an object of strings, numbers, booleans and choices.'
  return `The question ${JSON.stringify(key)} of "${name}" can't be asked. ${keys} ${schemas}`
}

export function actedBefore(name: string): string {
  return `"${name}" can't ask the user any more, because it has made a call that must not be made twice. Ask before such a call.`
}

export function forbiddenCall(name: string, inner: string): string {
  return `"${name}" must not call ${JSON.stringify(inner)}.`
}

export function unavailableTool(name: string): string {
  return `There is no tool ${JSON.stringify(name)}, or it could not be loaded.`
}

export function nestedTooDeep(name: string, levels: number): string {
  return `"${name}" was not allowed to make a call: calls can be nested at most ${levels} levels deep.`
}
