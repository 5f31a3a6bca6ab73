/** Builds a value while its text is being parsed. Records the changes of each piece of text. */

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
  /** The position of the key. */
  readonly at: number
}

export class Builder {
  frame: Frame
  depth = 0
  /** The changes since the last call of `takeChanges`. */
  #changes: ArgumentChange[] | undefined
  readonly #root: Frame
  /**
   * The frame of the last recorded change, with its JSON pointer. Cached, because a growing string changes the same place many
   * times.
   */
  #notedFrame: Frame | undefined
  #notedKey: string | number = 0
  #pointer = ''
  /** True if the caller can see the value while it grows. Otherwise, no changes are recorded. */
  #isObserved = false
  readonly #limits: Limits
  readonly #refuse: (code: ArgumentErrorCode) => never
  /** An object that the caller already has. It becomes the root if the text is an object. */
  readonly #first: Node | undefined
  /** The current string, without the held-back part. */
  #text = ''
  /** The last piece of the string. Stored separately, because reading it from `#text` would copy the whole string. */
  #last = ''
  /**
   * True if the unfinished string has been written to the value. A string that is read in one step is written only when it is
   * complete.
   */
  #isShown = false
  /** Repeated keys, with their previous values. */
  readonly #repeated: Repeated[] = []
  /** The text that was added to the string since the last recorded change. */
  #added = ''
  /**
   * A trailing comma and the white space after it. Held back, because they aren't part of the string if its closing quote is
   * missing.
   */
  #held = ''

  constructor(limits: Limits, refuse: (code: ArgumentErrorCode) => never, first?: Node) {
    this.#limits = limits
    this.#refuse = refuse
    this.#first = first
    this.#root = toFrame('root', [] as unknown as Node, undefined, 0)
    this.frame = this.#root
  }

  /** The value so far. Undefined until it starts. */
  get value(): unknown {
    return this.#root.node[0]
  }

  /** Sets the key of the next value in the current object. */
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
    // The root isn't complete yet, because text after it may still change the result.
    if (parent.kind !== 'root') this.#note(parent, parent.key, true)
    this.#next(parent)
  }

  /** Closes parentheses. If they contain a single value, the value replaces them. */
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

  /** Fast path for the most common piece of text: does the same as `addRaw` and `sync`. */
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

  /** Adds text that has no escapes. Holds back a trailing comma until more text arrives. */
  addRaw(piece: string): void {
    const certain = certainLength(piece, this.#held)
    if (certain === 0 && this.#held !== '' && piece.charCodeAt(0) === COMMA) {
      // A second comma follows, so the first one is part of the string.
      this.#append(this.#held)
      this.#held = piece
    } else if (certain === 0) this.#held += piece
    else {
      const added = this.#held === '' && certain === piece.length ? piece : this.#held + piece.slice(0, certain)
      this.#append(added)
      this.#held = certain === piece.length ? '' : piece.slice(certain)
    }
  }

  /** Adds decoded text. Nothing is held back. */
  addText(piece: string): void {
    this.#append(this.#held + piece)
    this.#held = ''
  }

  /** The comma and the white space that are held back. */
  get held(): string {
    return this.#held
  }

  /** The string so far, without the held-back text. */
  get certain(): string {
    return this.#text
  }

  /** The last character of the string. Empty if there is none. */
  get lastCharacter(): string {
    return (this.#held === '' ? this.#last : this.#held).slice(-1)
  }

  /** Writes the unfinished string, without the held-back text, to the value. */
  sync(): void {
    if (this.#added === '' && this.#isShown) return
    const { frame } = this
    this.#isShown = true
    frame.node[frame.key] = this.#text
    this.#note(frame, frame.key, false, this.#added)
    this.#added = ''
  }

  /** Completes the string. If `keepsHeld` is true, the held-back text is part of it. */
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

  /** The first repeated key that has two different values. */
  get conflict(): Repeated | undefined {
    return this.#repeated.find(({ node, key, value }) => !isSame(node[key], value))
  }

  /** Returns the changes since the last call. */
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

/** Returns the length of a piece, not counting a trailing comma and the white space after it. */
function certainLength(piece: string, held: string): number {
  let end = piece.length
  while (end > 0 && piece.charCodeAt(end - 1) <= 0x20) end--
  if (end > 0) return piece.charCodeAt(end - 1) === COMMA ? end - 1 : piece.length
  return held === '' ? piece.length : 0
}
