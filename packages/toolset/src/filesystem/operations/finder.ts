/** Finds a string in many other strings, in linear time. */

/**
 * Returns a function that returns the first index of the needle in a text, or -1. Short needles use `indexOf`, which may compare the whole
 * needle at each position.
 */
export function finderOf(needle: string): (text: string) => number {
  if (needle.length <= SHORT) return (text) => text.indexOf(needle)
  const borders = bordersOf(needle)
  return (text) => {
    let matched = 0
    for (let index = 0; index < text.length; index++) {
      matched = extended(needle, borders, matched, text.charCodeAt(index))
      if (matched === needle.length) return index + 1 - matched
    }
    return -1
  }
}

const SHORT = 16

/** Returns the length of the longest border of each prefix of the needle. A border is a shorter prefix that the prefix also ends with. */
function bordersOf(needle: string): readonly number[] {
  const borders = [0, 0]
  for (let index = 1; index < needle.length; index++)
    borders.push(extended(needle, borders, borders[index] as number, needle.charCodeAt(index)))
  return borders
}

/** Returns the length of the match after one more character. */
function extended(needle: string, borders: readonly number[], before: number, code: number): number {
  let matched = before
  while (matched > 0 && needle.charCodeAt(matched) !== code) matched = borders[matched] as number
  return needle.charCodeAt(matched) === code ? matched + 1 : matched
}
