/** Foreign words, made fit for an error message. */

/** The beginning of a text, on one line: at most 300 characters unless told. */
export function oneLine(text: string, length = 300): string {
  return text.trimStart().slice(0, length).replace(/\s+/g, ' ').trimEnd()
}
