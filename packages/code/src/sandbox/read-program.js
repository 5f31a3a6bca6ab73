/** Reads a program as the body of an async function, and removes TypeScript types if it isn't JavaScript. */
import { parse } from 'acorn'

/**
 * @typedef {{ readonly source: string, readonly fault?: undefined } | { readonly fault: SyntaxFault, readonly source?: undefined }} ReadProgram
 * @typedef {{ readonly message: string, readonly line: number, readonly column: number }} SyntaxFault
 */

const HEAD = '(async () => {'

/**
 * Returns the source to run, or the syntax error. Tries JavaScript first, because a program such as `f(a<b, c>(3))` has another meaning
 * in TypeScript.
 * @param {string} code
 * @returns {Promise<ReadProgram>}
 */
export async function readProgram(code) {
  const fault = faultIn(code)
  if (fault === undefined) return { source: code }
  const stripped = await withoutTypes(code)
  if (stripped === undefined) return { fault }
  if (stripped.fault !== undefined) return stripped
  const left = faultIn(stripped.source)
  return left === undefined ? stripped : { fault: left }
}

/**
 * @param {string} code
 * @returns {SyntaxFault | undefined}
 */
function faultIn(code) {
  try {
    parse(code, {
      ecmaVersion: 'latest',
      sourceType: 'script',
      allowReturnOutsideFunction: true,
      allowAwaitOutsideFunction: true,
      allowHashBang: false,
    })
  } catch (cause) {
    const { message = '', loc } = /** @type {{ message?: string, loc?: { line: number, column: number } }} */ (cause)
    if (loc === undefined) return { message: 'The program is nested too deeply.', line: 1, column: 1 }
    return { message: message.replace(/ \(\d+:\d+\)$/, ''), line: loc.line, column: loc.column + 1 }
  }
  return undefined
}

/**
 * Removes TypeScript types. Returns undefined if the library isn't installed.
 * @param {string} code
 * @returns {Promise<ReadProgram | undefined>}
 */
async function withoutTypes(code) {
  /** @type {typeof import('ts-blank-space').default} */
  let strip
  try {
    strip = (await import('ts-blank-space')).default
  } catch {
    return undefined
  }
  /** @type {SyntaxFault | undefined} */
  let fault
  try {
    // Types are replaced with white space of the same length. Anything else is an error.
    const text = strip(`${HEAD}${code}\n})`, (node) => {
      fault ??= {
        message: 'Only the types of TypeScript are supported. Features such as enum and namespace are not.',
        ...placeOf(code, node.pos),
      }
    })
    return fault === undefined ? { source: text.slice(HEAD.length, -3) } : { fault }
  } catch {
    return { fault: { message: 'The program is nested too deeply.', line: 1, column: 1 } }
  }
}

/**
 * @param {string} code
 * @param {number} offset
 */
function placeOf(code, offset) {
  const before = code.slice(0, Math.max(0, offset - HEAD.length)).split('\n')
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
}
