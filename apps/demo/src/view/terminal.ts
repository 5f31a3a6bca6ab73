/** The output of the program: width, colors, and removal of control characters. */
import { styleText } from 'node:util'
import { withoutControls } from './plain-text.ts'

export interface Terminal {
  /** Number of columns, at least 40. Without a terminal, this is `COLUMNS`, or else 140. */
  readonly width: number
  readonly paint: Paint
  /** Writes a line. Removes control characters except the colors of `paint`. */
  line(text?: string): void
  /** Writes a value as JSON, for other programs. */
  data(value: unknown): void
}

/** Styles that are legible on a dark and on a light background. */
export type Style = 'bold' | 'dim' | 'red' | 'green' | 'magenta'
export type Paint = (style: Style, text: string) => string

/** The parts of a Node writable stream that the terminal uses. */
export interface Screen {
  write(text: string): unknown
  readonly isTTY?: boolean | undefined
  readonly columns?: number | undefined
}

/** Creates the output. It uses colors only on a terminal, and not if `NO_COLOR` is set or the terminal is dumb. */
export function createTerminal(screen: Screen, environment: NodeJS.ProcessEnv = process.env): Terminal {
  const colored = screen.isTTY === true && !environment.NO_COLOR && environment.TERM !== 'dumb'
  return {
    width: Math.max(40, (screen.isTTY === true && screen.columns) || Number(environment.COLUMNS) || 140),
    paint: colored ? (style, text) => styleText(style, cleaned(text), { validateStream: false }) : (_, text) => text,
    line: (text = '') => {
      screen.write(`${colored ? cleaned(text) : withoutControls(text)}\n`)
    },
    // JSON escapes control characters, so they don't have to be removed.
    data: (value) => {
      screen.write(`${JSON.stringify(value, null, 2)}\n`)
    },
  }
}

/** Removes control characters, except for the colors of `paint`. */
function cleaned(text: string): string {
  return text
    .split(COLORS)
    .map((part, position) => (position % 2 === 1 ? part : withoutControls(part)))
    .join('')
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences of colors
const COLORS = /(\u001b\[(?:1|2|22|31|32|35|39)m)/
