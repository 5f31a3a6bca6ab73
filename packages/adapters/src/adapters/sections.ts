/** Splits text into sections that start with markers. */

/** The text under one marker. Only the last section may be incomplete. */
export interface Section {
  readonly text: string
  readonly isLast: boolean
}

/**
 * Returns the text under each marker `[[ ## name ## ]]` at the start of a line, for the given names. Of several sections with the
 * same name, the first counts. Accepts extra or missing spaces, a different number of `#` signs, bold type, and a name in
 * different case if it is unambiguous. A marker with an unknown name ends a section. A marker inside a line is text. Takes linear
 * time; never throws.
 */
export function splitSections(text: string, names: readonly string[]): ReadonlyMap<string, Section> {
  const toMarked = markedLine(names)
  const sections = new Map<string, Section>()
  let name: string | undefined
  let lines: string[] = []
  const close = (isLast: boolean) => {
    if (name !== undefined && !sections.has(name)) sections.set(name, { text: lines.join('\n').trim(), isLast })
  }
  for (const line of text.split('\n')) {
    const opened = toMarked(line)
    if (opened === undefined) {
      lines.push(line)
      continue
    }
    close(false)
    name = opened.name
    lines = opened.rest === '' ? [] : [opened.rest]
  }
  close(true)
  return sections
}

/** A line that contains a marker. */
export interface MarkedLine {
  /** The name in the marker. Undefined if it isn't one of the known names. */
  readonly name: string | undefined
  /** The text after the marker on the same line. */
  readonly rest: string
}

/**
 * Returns a function that parses one line by the rules of `splitSections`. The function returns undefined if the line has no
 * marker.
 */
export function markedLine(names: readonly string[]): (line: string) => MarkedLine | undefined {
  const meant = namesByForm(names)
  return (line) => {
    const opened = readMarker(line)
    return opened && { name: names.includes(opened.name) ? opened.name : meant.get(formOf(opened.name)), rest: opened.rest }
  }
}

/** Maximum length of a line with a marker. A longer line counts as text. */
export const LONGEST_MARKER = 256

const MAX_NAME = 200

interface Marker {
  readonly name: string
  readonly rest: string
}

function readMarker(line: string): Marker | undefined {
  const trimmed = line.trim()
  const isBold = trimmed.startsWith('**[[')
  const start = isBold ? 4 : 2
  if (!isBold && !trimmed.startsWith('[[')) return undefined
  const end = trimmed.slice(start, start + MAX_NAME).indexOf(']]')
  if (end < 0) return undefined
  const name = betweenSigns(trimmed.slice(start, start + end).trim())
  if (name === undefined) return undefined
  const rest = trimmed.slice(start + end + 2)
  return { name, rest: (isBold && rest.startsWith('**') ? rest.slice(2) : rest).trimStart() }
}

/** Returns the name in `## name ##`. Returns undefined if `#` signs are missing on either side. */
function betweenSigns(text: string): string | undefined {
  return /^#+([^#].*?)#+$/s.exec(text)?.[1]?.trim() || undefined
}

/** Maps lower-case names to the given names. Omits names that differ only in case. */
function namesByForm(names: readonly string[]): ReadonlyMap<string, string> {
  const meant = new Map<string, string>()
  const shared = new Set<string>()
  for (const name of names) {
    if (meant.has(formOf(name))) shared.add(formOf(name))
    meant.set(formOf(name), name)
  }
  for (const form of shared) meant.delete(form)
  return meant
}

function formOf(name: string): string {
  return name.toLowerCase()
}
