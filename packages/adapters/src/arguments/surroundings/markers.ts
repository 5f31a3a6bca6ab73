/** Skips template markers after a value: a closing fence, `</tool_call>`, `<|im_end|>` and similar ones. */

const MARKER = /<\/?[A-Za-z][\w:.-]{0,40}>|<[|｜][^<>\n]{1,40}[|｜]>|\[\/[A-Z_]{1,40}\]|`{3,}|~{3,}/y

/** Returns the position after the marker at `at`, or `at` if there is none. */
export function skipMarker(text: string, at: number): number {
  MARKER.lastIndex = at
  return MARKER.test(text) ? MARKER.lastIndex : at
}

/** Returns true if the character at `at` may start a marker. */
export function mayBeMarker(text: string, at: number): boolean {
  const character = text.charAt(at)
  return (
    character === '<' ||
    character === '`' ||
    character === '~' ||
    (character === '[' && (at + 1 === text.length || text.charAt(at + 1) === '/'))
  )
}

/** Returns true if the rest of the text consists of one or more markers and white space. */
export function isMarkerEnd(text: string, at: number): boolean {
  let end = skipMarker(text, at)
  if (end === at) return false
  while (end < text.length) {
    const next = skipMarker(text, end)
    if (next === end && text.charAt(end).trim() !== '') return false
    end = Math.max(next, end + 1)
  }
  return true
}
