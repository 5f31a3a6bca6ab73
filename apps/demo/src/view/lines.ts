/** Reads the user's input line by line. Shows a prompt on a terminal, and echoes the input otherwise. */
import { createInterface, type Interface } from 'node:readline'
import { withoutControls } from './plain-text.ts'

/** The parts of Node's `process` that this module uses. */
export interface Console {
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean | undefined }
  readonly stdout: NodeJS.WritableStream
  readonly pid: number
  kill(pid: number, signal: 'SIGINT'): unknown
}

export interface Lines {
  readonly lines: AsyncIterable<string>
  /** Shows the prompt. */
  readonly prompt: () => void
}

/** Starts reading. Stops at the end of the input, or when `signal` aborts. */
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
  // In the terminal's raw mode, Ctrl-C doesn't send a signal.
  reader.on('SIGINT', () => console.kill(console.pid, 'SIGINT'))
  return {
    lines: linesOf(reader, (line) => isScreen || stdout.write(`> ${withoutControls(line)}\n`)),
    prompt: () => {
      if (isScreen && !signal.aborted) reader.prompt()
    },
  }
}

/** Closes the reader when the loop is left, which releases the input. */
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
