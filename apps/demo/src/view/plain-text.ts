/** Makes text from models and tools fit to be printed. */

/** One line of at most `width` characters; control characters, which could steer a terminal, are taken out. */
export function oneLine(text: string, width: number): string {
  const line = withoutControls(text).replace(/\s+/g, ' ').trim()
  const characters = [...line.slice(0, 2 * width + 2)]
  return characters.length > width ? `${characters.slice(0, width - 1).join('')}…` : line
}

/** The lines of a text, control characters taken out. */
export function linesOf(text: string): readonly string[] {
  return withoutControls(text).trim().split('\n')
}

function withoutControls(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  return text.replace(/\r\n?/g, '\n').replace(/\u001b\[[0-9;?]*[ -/]*[@-~]|[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '')
}

/** `14 ms`, `1.2 s`. */
export function duration(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`
}
