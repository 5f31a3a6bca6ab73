/** Sanitizes text from users, models and tools for printing. */
import stringWidth from 'string-width'
import wrapAnsi from 'wrap-ansi'

/** Returns one line of at most `width` columns. */
export function oneLine(text: string, width: number): string {
  const line = withoutControls(text).replace(/\s+/g, ' ').trim()
  const start = line.slice(0, LONGEST_CHARACTER * width)
  return start === line && stringWidth(line) <= width ? line : `${cut(start, width - 1)}…`
}

/**
 * Wraps a string between words at `width` columns. Keeps the indentation, and aligns the rest of a list item with its text. Also breaks a
 * word that is wider than `width`.
 */
export function wrap(text: string, width: number): readonly string[] {
  return withoutControls(text)
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [, spaces = '', bullet = ''] = /^( *)(- )?/.exec(line) ?? []
      const indent = spaces.slice(0, width / 2)
      const [first = '', ...rest] = wrapAnsi(line.trim().slice(bullet.length), width - indent.length - bullet.length, {
        hard: true,
      }).split('\n')
      return [`${indent}${bullet}${first}`, ...rest.map((part) => `${indent}${' '.repeat(bullet.length)}${part}`)]
    })
}

function cut(line: string, width: number): string {
  return wrapAnsi(line, width, { hard: true, wordWrap: false, trim: false }).split('\n', 1)[0] ?? ''
}

/** UTF-16 code units of a character with many combining marks, such as a family in one emoji. */
const LONGEST_CHARACTER = 32

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
