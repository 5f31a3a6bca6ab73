/** A text with markers to the parts that stand under them. */

/** A part of a text, and whether another one follows it: then its end is where it was meant to be. */
export interface Section {
  readonly text: string
  readonly isLast: boolean
}

/**
 * The text under each marker `[[ ## name ## ]]` that begins a line, by the names asked for; the first of two of one name. Spaces,
 * the number of signs, bold type around it and the case of the name may differ, if one name is meant. A marker of another name ends
 * a part too; one inside a line is text. Linear, never throws.
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

/** What a line with a marker says. */
export interface MarkedLine {
  /** Of the names that were asked for; undefined for a marker of another name. */
  readonly name: string | undefined
  /** Behind the marker. */
  readonly rest: string
}

/** Reads one line as `splitSections` does; undefined for one without a marker. */
export function markedLine(names: readonly string[]): (line: string) => MarkedLine | undefined {
  const meant = namesByForm(names)
  return (line) => {
    const opened = readMarker(line)
    return opened && { name: names.includes(opened.name) ? opened.name : meant.get(formOf(opened.name)), rest: opened.rest }
  }
}

/** A line that is longer, and begins as a marker does, has none. */
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

/** `## name ##` to `name`; undefined where the signs are not on both sides. */
function betweenSigns(text: string): string | undefined {
  if (!text.startsWith('#') || !text.endsWith('#')) return undefined
  let start = 0
  let end = text.length
  while (text[start] === '#') start++
  while (end > start && text[end - 1] === '#') end--
  const name = text.slice(start, end).trim()
  return name === '' ? undefined : name
}

/** By lower case; without those that two names share. */
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
