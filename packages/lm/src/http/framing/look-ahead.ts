/** A look at how a body begins, before it is known how to read it. */
import { openStream } from '../../open-stream.ts'

export interface Opened {
  /** The first character that is no white space; undefined in a body without any. */
  readonly first: string | undefined
  /** All pieces, those that were looked at included; to be read, which closes the body. */
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
