/** Reduces English words to a common stem, and splits names into words. Takes linear time. */

/** Returns the common stem of the inflected forms of a word (`rated`, `rating`, `rate`). */
export function stem(word: string): string {
  let text = word.toLowerCase()
  if (text.length < 4 || /\d/.test(text)) return text
  text = withoutPlural(text)
  if (text.length > 5 && text.endsWith('ing')) text = undoubled(text.slice(0, -3))
  else if (text.length > 4 && text.endsWith('ed')) text = undoubled(text.slice(0, -2))
  else if (/^.[^e]ed$/.test(text)) text = text.slice(0, -1)
  if (text.length > 6 && text.endsWith('ery')) text = text.slice(0, -1)
  if (text.length > 5 && text.endsWith('ly')) text = text.slice(0, -2)
  if (text.length > 6 && /[ts]ion$/.test(text)) text = text.slice(0, -3)
  if (text.length > 6 && text.endsWith('er')) text = text.slice(0, -2)
  if (text.length > 7 && text.endsWith('ator')) text = text.slice(0, -2)
  if (text.length > 3 && text.endsWith('e')) text = text.slice(0, -1)
  if (text.length > 6 && text.endsWith('at')) text = text.slice(0, -2)
  if (text.length > 5 && text.endsWith('tr')) text = text.slice(0, -1)
  if (text.length > 3 && text.endsWith('y')) text = `${text.slice(0, -1)}i`
  return text
}

/** Returns the words of a name in lower case. `maxItemSize`, `max_item_size` and `max.item-size` have the same words. */
export function wordsOfName(name: string): string[] {
  return name
    .slice(0, 200)
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .flatMap((word) => word.match(/\p{L}+|\p{N}+/gu) ?? [])
}

/** Returns the stems of all words of a string. */
export function stemsOf(text: string): string[] {
  return (
    text
      .slice(0, 2000)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  ).map(stem)
}

function withoutPlural(word: string): string {
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`
  if (/(?:x|ch|sh|ss)es$/.test(word)) return word.slice(0, -2)
  return /[^suiā]s$/.test(word) ? word.slice(0, -1) : word
}

function undoubled(word: string): string {
  const last = word.at(-1)
  return last === word.at(-2) && last !== 's' && last !== 'l' ? word.slice(0, -1) : word
}
