/** Sanitizes text from users, models and tools for printing. */

/** Returns one line of at most `width` characters. */
export function oneLine(text: string, width: number): string {
  const line = withoutControls(text).replace(/\s+/g, ' ').trim()
  const characters = [...line.slice(0, 2 * width + 2)]
  return characters.length > width ? `${characters.slice(0, width - 1).join('')}…` : line
}

/** Wraps a string between words at `width`. Also breaks a word that is longer than `width`. */
export function wrap(text: string, width: number): readonly string[] {
  return withoutControls(text)
    .trim()
    .split('\n')
    .flatMap((line) => wrapLine(line.trimEnd(), width))
}

function wrapLine(line: string, width: number): readonly string[] {
  const characters = [...line]
  const lines: string[] = []
  let start = 0
  let textStart = characters.findIndex((character) => character !== ' ')
  while (characters.length - start > width) {
    const blank = characters.lastIndexOf(' ', start + width)
    const end = blank > textStart ? blank : start + width
    lines.push(characters.slice(start, end).join('').trimEnd())
    start = end
    while (characters[start] === ' ') start++
    textStart = start
  }
  return [...lines, characters.slice(start).join('')]
}

/** Removes control characters, including colors, because they could manipulate a terminal. Keeps line breaks and tabs. */
export function withoutControls(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(CONTROLS, '')
}

/** Matches escape sequences, control characters, and bidirectional controls. */
const CONTROLS =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to remove
  /\u001b\[[0-9;?]*[ -/]*[@-~]|[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** Formats a duration, such as `14 ms` or `1.2 s`. */
export function duration(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`
}
