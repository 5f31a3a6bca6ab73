/** The value that grows while its text is read, and the changes that were made to it. */

import type { Limits } from '../limits.ts'
import type { ArgumentChange } from '../result.ts'
import type { ArgumentErrorCode } from '../tags.ts'
import { COMMA } from './characters.ts'
import { type Frame, type FrameKind, type Node, pointerOf, toFrame } from './frame.ts'
import { isSame } from './is-same.ts'

interface Repeated {
  readonly node: Node
  readonly key: string
  readonly value: unknown
  /** The place of the key. */
  readonly at: number
}

export class Builder {
  frame: Frame
  depth = 0
  /** Made since the list was last taken. */
  #changes: ArgumentChange[] | undefined
  readonly #root: Frame
  /** Where the last change was: a text that grows is written to one place again and again. */
  #notedFrame: Frame | undefined
  #notedKey: string | number = 0
  #pointer = ''
  /** The value that was handed out is the one that grows: its changes are noted. */
  #isObserved = false
  readonly #limits: Limits
  readonly #refuse: (code: ArgumentErrorCode) => never
  /** Takes the place of the whole, when that is an object, so that it can be handed out before. */
  readonly #first: Node | undefined
  /** The text that is being read, as far as it is certain. */
  #text = ''
  /** The piece that was added last: to look into the text itself would copy it. */
  #last = ''
  /** The text is a part of the value by now. One that is read at once becomes one when it is whole. */
  #isShown = false
  /** Keys that came again, with the value that they had before. */
  readonly #repeated: Repeated[] = []
  /** Of it, what came since the last change was noted. */
  #added = ''
  /** A comma and the white space behind it at the end of the text: if its end quote is missing, they do not belong to it. */
  #held = ''

  constructor(limits: Limits, refuse: (code: ArgumentErrorCode) => never, first?: Node) {
    this.#limits = limits
    this.#refuse = refuse
    this.#first = first
    this.#root = toFrame('root', [] as unknown as Node, undefined, 0)
    this.frame = this.#root
  }

  /** The whole value; undefined until it begins. */
  get value(): unknown {
    return this.#root.node[0]
  }

  /** The next value goes to this key of the object. */
  openKey(key: string, at: number): void {
    const { frame } = this
    if (Object.hasOwn(frame.node, key)) this.#repeated.push({ node: frame.node, key, value: frame.node[key], at })
    if (key === '__proto__' || (key === 'prototype' && frame.keyInParent === 'constructor' && frame.parent?.kind === 'object'))
      this.#refuse('forbidden_key')
    if (++frame.count > this.#limits.maxKeys) this.#refuse('too_large')
    frame.key = key
  }

  add(value: unknown): void {
    const { frame } = this
    frame.node[frame.key] = value
    this.#note(frame, frame.key, true)
    this.#next(frame)
  }

  open(kind: Exclude<FrameKind, 'root'>): void {
    const { frame } = this
    if (++this.depth > this.#limits.maxDepth) this.#refuse('too_deep')
    const first = kind === 'object' && frame.kind === 'root' ? this.#first : undefined
    if (first !== undefined) this.#isObserved = true
    const node = first ?? ((kind === 'object' ? {} : []) as Node)
    frame.node[frame.key] = node
    this.#note(frame, frame.key, false)
    this.frame = toFrame(kind, node, frame, frame.key)
  }

  close(): void {
    const parent = this.frame.parent as Frame
    this.depth--
    this.frame = parent
    // The end of the whole is reported at the end, when it is known what follows it.
    if (parent.kind !== 'root') this.#note(parent, parent.key, true)
    this.#next(parent)
  }

  /** Closes a group in parentheses as the one value that it holds. */
  closeGroup(): void {
    const parent = this.frame.parent as Frame
    parent.node[parent.key] = this.frame.node[0]
    this.close()
  }

  openText(): void {
    this.#text = ''
    this.#last = ''
    this.#added = ''
    this.#held = ''
    this.#isShown = false
  }

  /** The same as `addRaw` and `sync`, for the piece that nearly every delta is. */
  grow(piece: string): void {
    const last = piece.charCodeAt(piece.length - 1)
    if (last <= 0x20 || last === COMMA || this.#held !== '' || this.#added !== '') {
      this.addRaw(piece)
      this.sync()
      return
    }
    const { frame } = this
    this.#text += piece
    this.#last = piece
    this.#isShown = true
    frame.node[frame.key] = this.#text
    this.#note(frame, frame.key, false, piece)
  }

  /** Adds raw text. Its end may be held back until more arrives. */
  addRaw(piece: string): void {
    const certain = certainLength(piece, this.#held)
    if (certain === 0 && this.#held !== '' && piece.charCodeAt(0) === COMMA) {
      // Two commas: the first one belongs to the text.
      this.#append(this.#held)
      this.#held = piece
    } else if (certain === 0) this.#held += piece
    else {
      const added = this.#held === '' && certain === piece.length ? piece : this.#held + piece.slice(0, certain)
      this.#append(added)
      this.#held = certain === piece.length ? '' : piece.slice(certain)
    }
  }

  /** Text that was escaped: all of it is meant. */
  addText(piece: string): void {
    this.#append(this.#held + piece)
    this.#held = ''
  }

  /** The comma and white space at the end of the text, which are not part of it yet. */
  get held(): string {
    return this.#held
  }

  /** The text without what is held back. It is put together for that: for once in a while. */
  get certain(): string {
    return this.#text
  }

  /** The last character of the text, or nothing. */
  get lastCharacter(): string {
    return (this.#held === '' ? this.#last : this.#held).slice(-1)
  }

  /** Shows the open text as far as it is certain. */
  sync(): void {
    if (this.#added === '' && this.#isShown) return
    const { frame } = this
    this.#isShown = true
    frame.node[frame.key] = this.#text
    this.#note(frame, frame.key, false, this.#added)
    this.#added = ''
  }

  /** `keepsHeld`: the end of the text belongs to it. */
  closeText(keepsHeld = true): void {
    if (keepsHeld && this.#held !== '') this.#append(this.#held)
    const { frame } = this
    frame.node[frame.key] = this.#text
    this.#note(frame, frame.key, true, this.#added)
    this.#text = ''
    this.#added = ''
    this.#held = ''
    this.#next(frame)
  }

  /** The first key that was given two different values. */
  get conflict(): Repeated | undefined {
    return this.#repeated.find(({ node, key, value }) => !isSame(node[key], value))
  }

  /** The changes since it was last asked. */
  takeChanges(): readonly ArgumentChange[] | undefined {
    const changes = this.#changes
    this.#changes = undefined
    return changes
  }

  #note(frame: Frame, key: string | number, isComplete: boolean, text?: string): void {
    if (!this.#isObserved) return
    if (frame !== this.#notedFrame || key !== this.#notedKey) {
      this.#notedFrame = frame
      this.#notedKey = key
      this.#pointer = pointerOf(frame, key)
    }
    const change = { pointer: this.#pointer, text, isComplete, value: frame.node[key] }
    if (this.#changes === undefined) this.#changes = [change]
    else this.#changes.push(change)
  }

  #append(piece: string): void {
    this.#text += piece
    this.#last = piece
    if (this.#isObserved) this.#added = this.#added === '' ? piece : this.#added + piece
  }

  #next(frame: Frame): void {
    if (frame.kind === 'list' || frame.kind === 'tuple') frame.key = ++frame.count
  }
}

/** The length of a piece before a comma that only white space follows. */
function certainLength(piece: string, held: string): number {
  let end = piece.length
  while (end > 0 && piece.charCodeAt(end - 1) <= 0x20) end--
  if (end > 0) return piece.charCodeAt(end - 1) === COMMA ? end - 1 : piece.length
  return held === '' ? piece.length : 0
}
