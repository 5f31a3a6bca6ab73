/** What a user writes, line by line; with a prompt where there is a screen, and shown again where there is none. */
import { createInterface, type Interface } from 'node:readline'
import { withoutControls } from './plain-text.ts'

/** A part of Node's `process`. */
export interface Console {
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean | undefined }
  readonly stdout: NodeJS.WritableStream
  readonly pid: number
  kill(pid: number, signal: 'SIGINT'): unknown
}

export interface Lines {
  readonly lines: AsyncIterable<string>
  /** Says that a line is waited for. */
  readonly prompt: () => void
}

/** Reads from now on; ends with the input, or when `signal` aborts. */
export function readLines(console: Console, signal: AbortSignal): Lines {
  const { stdin, stdout } = console
  const isScreen = stdin.isTTY === true
  const reader = createInterface({
    input: stdin,
    output: isScreen ? stdout : undefined,
    prompt: '> ',
    terminal: isScreen,
    signal,
  })
  // The screen is in a mode in which Ctrl-C is a key like others.
  reader.on('SIGINT', () => console.kill(console.pid, 'SIGINT'))
  return {
    lines: linesOf(reader, (line) => isScreen || stdout.write(`> ${withoutControls(line)}\n`)),
    prompt: () => {
      if (isScreen && !signal.aborted) reader.prompt()
    },
  }
}

/** Leaving the loop lets go of the input. */
async function* linesOf(reader: Interface, show: (line: string) => void): AsyncGenerator<string> {
  try {
    for await (const line of reader) {
      show(line)
      yield line
    }
  } finally {
    reader.close()
  }
}
