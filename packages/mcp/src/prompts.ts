/** Texts of this package that a model or a user reads. */

const MAX_ARGS = 2_000

/** The message of an approval's form. Hidden characters are shown, since a model wrote the arguments. */
export function approvalQuestion(name: string, args: object): string {
  const text = JSON.stringify(args).replace(/\p{C}/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)
  const shown = text.length <= MAX_ARGS ? text : `${text.slice(0, MAX_ARGS)}… (${text.length} characters in total)`
  return `Allow "${name}" to run with these arguments? ${shown}`
}

/** Why an approval can't be requested. */
export const OLD_CLIENT_OVER_HTTP =
  "This client uses an earlier revision of the protocol, so the server can't ask it over HTTP. Use revision 2026-07-28, or connect over stdio."
export const CLIENT_WITHOUT_FORMS = "This client doesn't support elicitation."

export function notLoaded(name: string): string {
  return `"${name}" is not available at the moment and was not run.`
}
