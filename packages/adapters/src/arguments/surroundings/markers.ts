/** What templates leave behind a value: the end of a fence, `</tool_call>`, `<|im_end|>` and the like. */

const MARKER = /<\/?[A-Za-z][\w:.-]{0,40}>|<[|｜][^<>\n]{1,40}[|｜]>|\[\/[A-Z_]{1,40}\]|`{3,}|~{3,}/y

/** The position after the marker at `at`; `at` if there is none. */
export function skipMarker(text: string, at: number): number {
  MARKER.lastIndex = at
  return MARKER.test(text) ? MARKER.lastIndex : at
}

/** True if a marker may start at `at`, judged by its first character. */
export function mayBeMarker(text: string, at: number): boolean {
  const character = text.charAt(at)
  return (
    character === '<' ||
    character === '`' ||
    character === '~' ||
    (character === '[' && (at + 1 === text.length || text.charAt(at + 1) === '/'))
  )
}

/** True when nothing but markers and white space follows, and at least one of them. */
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
