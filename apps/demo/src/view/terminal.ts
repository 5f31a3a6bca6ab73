/** Where the app writes, and what that place can show. */
import { styleText } from 'node:util'

export interface Terminal {
  /** Columns; 140 where there is no screen. */
  readonly width: number
  readonly paint: Paint
  line(text?: string): void
}

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan'
export type Paint = (style: Style, text: string) => string

/** A part of a writable stream of Node. */
export interface Screen {
  write(text: string): unknown
  readonly isTTY?: boolean | undefined
  readonly columns?: number | undefined
}

/** Colours only on a screen, and not where `NO_COLOR` is set or the terminal is dumb. */
export function createTerminal(screen: Screen, environment: NodeJS.ProcessEnv = process.env): Terminal {
  const colored = screen.isTTY === true && !environment.NO_COLOR && environment.TERM !== 'dumb'
  return {
    width: Math.max(60, (screen.isTTY === true && screen.columns) || 140),
    paint: colored ? (style, text) => styleText(style, text, { validateStream: false }) : (_, text) => text,
    line: (text = '') => {
      screen.write(`${text}\n`)
    },
  }
}
