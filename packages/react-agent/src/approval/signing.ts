/** Signatures of plain data, with the Web Crypto API. */
import { canonicalJson } from '@x/tool-core'

const TEXT = new TextEncoder()

/** Computes the HMAC-SHA-256 of the value as canonical JSON, in hexadecimal. */
export async function sign(value: unknown, key: string): Promise<string> {
  return toHex(await crypto.subtle.sign('HMAC', await importKey(key), TEXT.encode(canonicalJson(value))))
}

/** Returns true if the signature is valid. Compares in constant time. */
export async function isSigned(value: unknown, signature: unknown, key: string): Promise<boolean> {
  const bytes = typeof signature === 'string' ? fromHex(signature) : undefined
  return bytes !== undefined && crypto.subtle.verify('HMAC', await importKey(key), bytes, TEXT.encode(canonicalJson(value)))
}

function importKey(key: string) {
  return crypto.subtle.importKey('raw', TEXT.encode(key), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify'])
}

function toHex(bytes: ArrayBuffer): string {
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function fromHex(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^(?:[0-9a-f]{2})+$/.test(text)) return undefined
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}
