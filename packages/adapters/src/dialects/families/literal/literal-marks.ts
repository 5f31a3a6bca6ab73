/** The markers of a custom notation. */
import { afterSpace, loose, MarkerSet } from '../../engine/marker.ts'

export interface CustomLiteralOptions {
  readonly open: string
  readonly close: string
  /** The delimiter on both sides of a string. Strings contain no escapes. */
  readonly quote: string
}

/** The markers in the form that readers use. Created once per dialect. */
export interface LiteralMarks {
  readonly call: MarkerSet<'call'>
  /** Markers that may end a value without an end of its own. */
  readonly edges: MarkerSet<'quote' | 'close'>
  /** Markers that may follow the brace that ends a call. */
  readonly behindCall: MarkerSet<'call' | 'close' | 'quote'>
  readonly close: MarkerSet<'close'>
  readonly quote: MarkerSet<'quote'>
  /** The part of the delimiter after its quotation mark. Empty if the delimiter contains no quotation mark. */
  readonly behindQuote: string
  /** Matches a character that occurs only in the string delimiter. */
  readonly ofQuote: RegExp
  /** Markers at which a block ends or another one starts. */
  readonly border: MarkerSet<'border'>
  /** An end marker followed by an open marker. Ends a string whose closing delimiter is missing. */
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

/** True for a character of a name. A name ends at its brace, at a line break, or at the start of a marker. */
export function isOfName(code: number): boolean {
  return code !== 0x7b && code !== 0x3c && code !== 0x0a && code !== 0x0d
}

export const LONGEST_NAME = 256
