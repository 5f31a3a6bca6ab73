/** A list or object that is being filled, with its position in the whole value. */
import { pointerSegment } from '@x/tool-core'

export type FrameKind = 'root' | 'object' | 'list' | 'tuple'

/** The list or object, with keys or indexes as its properties. */
export type Node = Record<string | number, unknown>

export interface Frame {
  readonly kind: FrameKind
  /** The enclosing frame. Undefined for the root. */
  readonly parent: Frame | undefined
  /** The key in the parent frame. */
  readonly keyInParent: string | number
  readonly node: Node
  /** The key or index of the next value. */
  key: string | number
  /** Number of values that were added. A repeated key counts each time. */
  count: number
  /** JSON pointer of the frame. Computed on first use. */
  pointer: string | undefined
}

export function toFrame(kind: FrameKind, node: Node, parent: Frame | undefined, keyInParent: string | number): Frame {
  return { kind, parent, keyInParent, node, key: 0, count: 0, pointer: parent === undefined ? '' : undefined }
}

/** Returns the JSON pointer (RFC 6901) of a value in a frame. The pointer of the root value is empty. */
export function pointerOf(frame: Frame, key: string | number): string {
  return frame.kind === 'root' ? '' : `${frame.pointer ?? writePointer(frame)}/${segmentOf(key)}`
}

/** Builds the pointer in a loop, because frames may be nested hundreds of levels deep. */
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
