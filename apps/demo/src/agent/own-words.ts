/** Recognizes the requests that the program answers itself, without a model. */

/** Returns `help` for a question about the program, `exit` for a wish to leave, and otherwise undefined. */
export function ownWordOf(request: string): 'help' | 'exit' | undefined {
  const words = request
    .toLowerCase()
    .replace(/^\//, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
  if (HELP.has(words) || request.trim() === '?') return 'help'
  return EXIT.has(words) ? 'exit' : undefined
}

const HELP: ReadonlySet<string> = new Set([
  'help',
  'help me',
  'what can you do',
  'what can you do for me',
  'what can i do',
  'what can i do here',
  'what can i ask',
  'what can i ask you',
  'what do you do',
  'how does this work',
])
const EXIT: ReadonlySet<string> = new Set(['exit', 'quit', 'bye', 'goodbye', 'good bye'])
