/** Reads the first message of an attempt's request, in the server's protocol (protobuf). The SDK doesn't pass on all of its fields. */

/** The fields of the server's start message. */
export interface AttemptStart {
  /** Number of entries in the run's journal. */
  readonly entries: number
  /** How often an attempt has failed since the last entry. */
  readonly retries: number
}

/** Bytes of a message's header: type, flags and length. */
const HEADER = 8
const KNOWN_ENTRIES = 3
const RETRY_COUNT = 7

/** Reads the message at the start of the bytes. Counts no retries if the message is incomplete or of another kind. */
export function readStart(bytes: Uint8Array): AttemptStart {
  const fields = new Map<number, number>()
  if (bytes.length >= HEADER) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const end = HEADER + view.getUint32(4)
    if (view.getUint16(0) === 0 && end <= bytes.length) readFields(bytes.subarray(HEADER, end), fields)
  }
  return { entries: fields.get(KNOWN_ENTRIES) ?? 0, retries: fields.get(RETRY_COUNT) ?? 0 }
}

/** Reads the numbers among the fields. Stops at the first field of a type that the message doesn't have. */
function readFields(bytes: Uint8Array, fields: Map<number, number>): void {
  let at = 0
  const varint = () => {
    let value = 0
    for (let scale = 1; at < bytes.length; scale *= 128) {
      const byte = bytes[at++] as number
      value += (byte % 128) * scale
      if (byte < 128) break
    }
    return value
  }
  while (at < bytes.length) {
    const tag = varint()
    const value = varint()
    if (tag % 8 === 0) fields.set(Math.floor(tag / 8), value)
    else if (tag % 8 === 2) at += value
    else break
  }
}
