/** Inputs with a call that never ends. A reader that keeps returning to an earlier position takes quadratic time for them. */

/** An input that can be generated in any length. */
export interface EndlessText {
  /** The start of the text. */
  readonly start: string
  /** The text after the start. `repeated`: the start, repeated. `begun`: a word that never ends. */
  readonly kind: 'repeated' | 'begun'
  toText(length: number): string
}

/** Returns endless texts. `fragments` are strings with a meaning in the dialect. */
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
