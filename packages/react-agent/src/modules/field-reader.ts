/** Which output each piece of a streamed reply belongs to, for the form in which `nativeAdapter` asks for outputs. */
import { fieldKind, isOneText, type Signature } from '@x/adapters'

export interface FieldText {
  readonly field: string
  readonly text: string
}

const OPEN = '[[ ## '
const CLOSE = ' ## ]]'
/** A longer line is text, also one that is blank so far. */
const LONGEST_MARKER = 200

/** Holds back no more than the beginning of a line that may become a marker. Linear in the text. */
export class FieldReader {
  readonly #unopened: Set<string>
  #field: string | undefined
  /** No marker has come, and none is needed: that of another name is text. */
  #isWhole: boolean
  /** The line so far, while it may be a marker; undefined once it is text. */
  #held: string | undefined = ''

  constructor(signature: Signature) {
    const names = Object.keys(signature.outputs).filter((name) => fieldKind(signature.outputs[name]) === 'value')
    this.#unopened = new Set(names)
    // One text is the whole reply, unless the model writes its marker all the same.
    this.#isWhole = isOneText(signature)
    if (this.#isWhole) this.#field = names[0]
  }

  /** What is known to belong to an output by now. */
  push(text: string): readonly FieldText[] {
    const found: FieldText[] = []
    for (const line of text.split(/(?<=\n)/)) this.#read(line, found)
    return found
  }

  /** The reply is over: what was held back is text. */
  end(): readonly FieldText[] {
    const found: FieldText[] = []
    this.#add(this.#held ?? '', found)
    this.#held = ''
    return found
  }

  /** `piece` is of one line. */
  #read(piece: string, found: FieldText[]): void {
    if (this.#held === undefined) this.#add(piece, found)
    else this.#hold(this.#held + piece, found)
    if (piece.endsWith('\n')) this.#held = ''
  }

  #hold(line: string, found: FieldText[]): void {
    const written = line.trimStart()
    const close = written.indexOf(CLOSE, OPEN.length + 1)
    this.#held = line
    const name = written.startsWith(OPEN) && close !== -1 ? written.slice(OPEN.length, close) : undefined
    if (name !== undefined && (!this.#isWhole || this.#unopened.has(name))) {
      this.#open(name)
      this.#held = undefined
      this.#add(written.slice(close + CLOSE.length).replace(/^ |^\r?\n/, ''), found)
    } else if (line.length > LONGEST_MARKER || !mayBecomeMarker(written) || name !== undefined || line.endsWith('\n')) {
      this.#held = undefined
      this.#add(line, found)
    }
  }

  /** A part that comes again does not count. */
  #open(name: string): void {
    this.#isWhole = false
    this.#field = this.#unopened.delete(name) ? name : undefined
  }

  #add(text: string, found: FieldText[]): void {
    if (text !== '' && this.#field !== undefined) found.push({ field: this.#field, text })
  }
}

function mayBecomeMarker(written: string): boolean {
  return written.length < OPEN.length ? OPEN.startsWith(written) : written.startsWith(OPEN)
}
