/** Splits a search text into stems, which are also found in other forms of the words. */

/** Returns the words in lower case without a plural "s" or an "ing", so that "runs" and "running" find "run". */
export function searchWords(text: string): readonly string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  return words.map((word) => (word.length > 3 ? word.replace(/s$/, '') : word)).map(withoutIng)
}

/** Removes the ending: "running" becomes "run". "Baking" becomes "bak", which is a part of every form of that word. */
function withoutIng(word: string): string {
  return word.length > 5 && word.endsWith('ing') ? word.slice(0, -3).replace(/([bdgmnpt])\1$/, '$1') : word
}
