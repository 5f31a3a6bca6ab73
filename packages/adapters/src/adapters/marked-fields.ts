/** Assigns streamed text to outputs that are written under markers. */

import { fieldsOf, isOneText } from '../signature/fields.ts'
import type { Signature } from '../signature/signature.ts'
import type { FieldReader, FieldText } from './adapter.ts'
import { LONGEST_MARKER, type MarkedLine, markedLine } from './sections.ts'

export function readMarkedFields(signature: Signature): FieldReader {
  return new MarkedFields(signature)
}

/**
 * Assigns text to fields in linear time. Holds back only lines that may contain a marker, and white space that may be at the
 * start or end of a field.
 */
class MarkedFields implements FieldReader {
  readonly #unopened: Set<string>
  readonly #toMarked: (line: string) => MarkedLine | undefined
  #field: string | undefined
  /** True if no marker is required and none has been found yet. Markers with other names are then part of the text. */
  #isWhole: boolean
  /** The current line, as long as it may still contain a marker. Undefined once it is known to be text. */
  #held: string | undefined = ''
  /** True if text of the current field has been emitted. */
  #isBegun = false
  /** White space of the current field that is held back. */
  #blanks = ''

  constructor(signature: Signature) {
    const names = fieldsOf(signature.outputs, 'value').map(([name]) => name)
    this.#unopened = new Set(names)
    this.#toMarked = markedLine(names)
    // The only output is text, so its value is the whole reply, unless the model writes the marker anyway.
    this.#isWhole = isOneText(signature)
    if (this.#isWhole) this.#field = names[0]
  }

  push(text: string): readonly FieldText[] {
    const found: FieldText[] = []
    for (const line of text.split(/(?<=\n)/)) this.#read(line, found)
    return found
  }

  /** Reads the last line, which is now complete. */
  end(): readonly FieldText[] {
    const found: FieldText[] = []
    if (this.#held !== undefined) this.#close(this.#held, found)
    this.#held = ''
    return found
  }

  /** Reads a piece of one line. */
  #read(piece: string, found: FieldText[]): void {
    if (this.#held === undefined) this.#add(piece, found)
    else this.#hold(this.#held + piece, found)
    if (piece.endsWith('\n')) this.#held = ''
  }

  #hold(line: string, found: FieldText[]): void {
    this.#held = line
    if (line.endsWith('\n')) this.#close(line, found)
    else if (!mayHaveMarker(line.trimStart()) || (line.length > LONGEST_MARKER && !line.includes(']]'))) this.#assign(line, found)
  }

  #close(line: string, found: FieldText[]): void {
    const marked = this.#toMarked(line)
    if (marked === undefined || (this.#isWhole && (marked.name === undefined || !this.#unopened.has(marked.name)))) {
      this.#assign(line, found)
      return
    }
    this.#isWhole = false
    this.#isBegun = false
    this.#blanks = ''
    // Text under a repeated marker is ignored.
    this.#field = marked.name !== undefined && this.#unopened.delete(marked.name) ? marked.name : undefined
    this.#add(marked.rest === '' ? '' : `${marked.rest}\n`, found)
  }

  #assign(line: string, found: FieldText[]): void {
    this.#held = undefined
    this.#add(line, found)
  }

  #add(text: string, found: FieldText[]): void {
    if (this.#field === undefined) return
    const begun = this.#isBegun ? text : text.trimStart()
    const content = begun.trimEnd()
    if (content !== '') {
      found.push({ field: this.#field, text: this.#blanks + content })
      this.#isBegun = true
      this.#blanks = ''
    }
    this.#blanks += begun.slice(content.length)
  }
}

/** Returns true for white space, and for text that may start with a marker. */
function mayHaveMarker(written: string): boolean {
  return BEGINNINGS.some((begin) => written.startsWith(begin) || begin.startsWith(written))
}

const BEGINNINGS = ['[[', '**[[']
