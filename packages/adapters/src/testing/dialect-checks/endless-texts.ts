/** Texts that never end a call. They make a reader slow that goes back to an earlier position. */

/** For each of them, what makes it as long as asked, or a little longer. */
export interface EndlessText {
  /** How it begins. */
  readonly start: string
  /** The same over and over, or something begun and then a word without an end. */
  readonly kind: 'repeated' | 'begun'
  toText(length: number): string
}

/** @param fragments Texts that mean something in the dialect. */
export function endlessTexts(fragments: readonly string[]): readonly EndlessText[] {
  const isBegun = (fragment: string) => fragments.some((whole) => whole.length > fragment.length && whole.startsWith(fragment))
  return [
    ...[...fragments, ...UNITS].map((start) => ({
      start,
      kind: 'repeated' as const,
      toText: (length: number) => start.repeat(Math.ceil(length / start.length)),
    })),
    ...fragments
      .filter((fragment) => !isBegun(fragment))
      .map((start) => ({ start, kind: 'begun' as const, toText: (length: number) => start + 'x'.repeat(length) })),
  ]
}

const UNITS = ['<', '{', '[', '(', '"', "'", '\\', '\n', '`', 'a', '{"a":', 'f(']
