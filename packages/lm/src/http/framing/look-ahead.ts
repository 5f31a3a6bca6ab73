/** Inspects the start of a body to decide how to read it. */
import { openStream } from '../../open-stream.ts'

export interface Opened {
  /** The first character that isn't white space. Undefined if there is none. */
  readonly first: string | undefined
  /** All pieces, including those inspected. Consume them to close the body. */
  readonly pieces: AsyncGenerator<Uint8Array>
}

export async function lookAhead(body: AsyncGenerator<Uint8Array>): Promise<Opened> {
  let first: string | undefined
  const pieces = await openStream(body, (piece) => {
    first = new TextDecoder().decode(piece).trimStart()[0]
    return first !== undefined
  })
  return { first, pieces }
}
