/** The words in which argument parsing says what it did, or why it did not. */

/**
 * What was mended, with one reading only:
 * - `empty`: no text at all, or the text `null`: no arguments (`""` → `{}`);
 * - `double_encoded`: the text was a JSON string that holds an object (`"{\"a\":1}"` → `{"a":1}`).
 */
export type RecoveryTag = 'empty' | 'double_encoded'

/**
 * Why the text is refused:
 * - `truncated`: it was cut off, or the provider said so;
 * - `invalid_json`: it is not JSON;
 * - `not_an_object`: it is JSON, but no object (`[1]`, `5`);
 * - `forbidden_key`: an object in it has an own key `__proto__`, or `constructor` with a `prototype`;
 * - `too_deep`, `too_large`: it exceeds a limit.
 */
export type ArgumentErrorCode = 'truncated' | 'invalid_json' | 'not_an_object' | 'forbidden_key' | 'too_deep' | 'too_large'

export type ParsedArguments =
  | { readonly ok: true; readonly value: Readonly<Record<string, unknown>>; readonly tags: readonly RecoveryTag[] }
  | {
      readonly ok: false
      readonly code: ArgumentErrorCode
      /** Offset in UTF-16 units, where it is known. */
      readonly at?: number | undefined
      /** At most 60 characters of the text around `at`, or its beginning. */
      readonly excerpt: string
      /** A sentence that lets a model mend its own call. */
      readonly message: string
    }
