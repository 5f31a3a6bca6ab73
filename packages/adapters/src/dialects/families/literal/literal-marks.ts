/** The markers of a custom notation. */
import { afterSpace, loose, MarkerSet } from '../../engine/marker.ts'

export interface CustomLiteralOptions {
  readonly open: string
  readonly close: string
  /** Delimiter on both sides of a string. There are no escapes in strings. */
  readonly quote: string
}

/** The markers in the form that readers use. Created once per dialect. */
export interface LiteralMarks {
  readonly call: MarkerSet<'call'>
  /** Markers that may end a value that has no end marker of its own. */
  readonly edges: MarkerSet<'quote' | 'close'>
  /** Markers that may follow the brace that ends a call. */
  readonly behindCall: MarkerSet<'call' | 'close' | 'quote'>
  readonly close: MarkerSet<'close'>
  readonly quote: MarkerSet<'quote'>
  /** The part of the delimiter after its quotation mark. Empty if it has none. */
  readonly behindQuote: string
  /** A character that occurs only in the string delimiter. */
  readonly ofQuote: RegExp
  /** Markers that end a block or start another one. */
  readonly border: MarkerSet<'border'>
  /** An end marker followed by an open marker. It ends a string whose closing delimiter is missing. */
  readonly seam: MarkerSet<'seam'>
}

export function toLiteralMarks({ open, close, quote }: CustomLiteralOptions): LiteralMarks {
  const call = [loose('call:'), loose('call :')]
  return {
    call: new MarkerSet({ call }),
    edges: new MarkerSet({ quote, close }),
    behindCall: new MarkerSet({ call, close, quote }),
    close: new MarkerSet({ close: afterSpace(close) }),
    quote: new MarkerSet({ quote }),
    behindQuote: quote.split('"')[1] ?? '',
    ofQuote: new RegExp(`[${quote.replace(/[\w"]/g, '')}]`),
    border: new MarkerSet({ border: [open, close] }),
    seam: new MarkerSet({ seam: loose(`${close} ${open}`) }),
  }
}

/**
 * Returns true for a character that a name may contain. A name ends at the opening brace of the arguments, at a line break, or at
 * the start of a marker.
 */
export function isOfName(code: number): boolean {
  return code !== 0x7b && code !== 0x3c && code !== 0x0a && code !== 0x0d
}

export const LONGEST_NAME = 256
