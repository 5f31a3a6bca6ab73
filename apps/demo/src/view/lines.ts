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

export interface LineReader {
  /** Resolves to the next line, or undefined at the end of the input. */
  read(): Promise<string | undefined>
  /** Releases the input. */
  close(): Promise<void>
}

/** Reads one line at a time, after the prompt. Opens the input for the first line. */
export function createLineReader(openLines: () => Lines): LineReader {
  let opened: { readonly prompt: () => void; readonly reader: AsyncIterator<string> } | undefined
  const open = () => {
    const { lines, prompt } = openLines()
    opened = { prompt, reader: lines[Symbol.asyncIterator]() }
    return opened
  }
  return {
    async read() {
      const { prompt, reader } = opened ?? open()
      prompt()
      const { done, value } = await reader.next()
      return done ? undefined : value
    },
    async close() {
      await opened?.reader.return?.()
    },
  }
}

/** Yields the lines of the input. When the loop ends, closes the reader, which releases the input. */
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
