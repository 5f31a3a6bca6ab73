/** Inputs that never end a call. A reader that returns to an earlier position is slow with them. */

/** A generator for inputs of a given length, or slightly longer. */
export interface EndlessText {
  /** The start of the text. */
  readonly start: string
  /** What follows: the same text repeatedly, or an endless word. */
  readonly kind: 'repeated' | 'begun'
  toText(length: number): string
}

/** @param fragments Strings with a meaning in the dialect. */
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
