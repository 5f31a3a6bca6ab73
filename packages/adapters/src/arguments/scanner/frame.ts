/** An object or list that is being filled, and its place in the whole. */
import { pointerSegment } from '@x/tool-core'

export type FrameKind = 'root' | 'object' | 'list' | 'tuple'

/** What a frame fills: read and written by keys or by indices. */
export type Node = Record<string | number, unknown>

export interface Frame {
  readonly kind: FrameKind
  /** The frame around it; undefined for the root. */
  readonly parent: Frame | undefined
  /** Its key in that frame. */
  readonly keyInParent: string | number
  readonly node: Node
  /** The position of the next value. */
  key: string | number
  /** How many values it has; a key that comes twice counts twice. */
  count: number
  /** Created on demand. */
  pointer: string | undefined
}

export function toFrame(kind: FrameKind, node: Node, parent: Frame | undefined, keyInParent: string | number): Frame {
  return { kind, parent, keyInParent, node, key: 0, count: 0, pointer: parent === undefined ? '' : undefined }
}

/** The JSON pointer (RFC 6901) of a value in a frame. The root frame holds the whole value, whose pointer is empty. */
export function pointerOf(frame: Frame, key: string | number): string {
  return frame.kind === 'root' ? '' : `${frame.pointer ?? writePointer(frame)}/${segmentOf(key)}`
}

/** As a loop: the frames may be hundreds deep. */
function writePointer(frame: Frame): string {
  const open: Frame[] = []
  let known = frame
  while (known.pointer === undefined && known.parent !== undefined) {
    open.push(known)
    known = known.parent
  }
  let pointer = known.pointer ?? ''
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next.parent?.kind !== 'root') pointer += `/${segmentOf(next.keyInParent)}`
    next.pointer = pointer
  }
  return pointer
}

function segmentOf(key: string | number): string {
  return typeof key === 'string' ? pointerSegment(key) : String(key)
}
