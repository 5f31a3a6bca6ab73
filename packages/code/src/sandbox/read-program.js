/** Reads a program as the body of an async function, and removes TypeScript types if it isn't JavaScript. */
import { parse } from 'acorn'

/**
 * @typedef {{ readonly source: string, readonly fault?: undefined } | { readonly fault: SyntaxFault, readonly source?: undefined }} ReadProgram
 * @typedef {{ readonly message: string, readonly line?: number, readonly column?: number }} SyntaxFault
 */

const HEAD = '(async () => {'
/** What may precede a node at the position that TypeScript reports for it. */
const BEFORE_NODE = /^(?:\s|\/\/.*|\/\*[\s\S]*?\*\/)*/
/** Messages in place of those of acorn that explain its options. */
const MESSAGES = /** @type {const} */ ([
  ['sourceType: module', 'a program has no modules, so it can have no `import` or `export`'],
  ['import.meta', 'a program has no modules, so it has no `import.meta`'],
  ['Using declaration', 'a `using` declaration must be in a block or a function'],
])
/** @type {SyntaxFault} */
export const TOO_DEEP = { message: 'it is nested too deeply' }

/**
 * Returns the source to run, or the syntax error. Tries JavaScript first, because a program such as `f(a<b, c>(3))` has another meaning
 * in TypeScript.
 * @param {string} code
 * @returns {Promise<ReadProgram>}
 */
export async function readProgram(code) {
  // It would be valid as two tagged templates, but fail when it runs.
  if (/^\s*```/.test(code)) return { fault: { message: 'it starts with a Markdown fence (```)' } }
  const fault = faultIn(code)
  if (fault === undefined) return { source: code }
  if (fault === TOO_DEEP) return { fault }
  const stripped = await withoutTypes(code)
  if (stripped === undefined)
    return {
      fault: { ...fault, message: `${fault.message}. The types of TypeScript are not supported here. Write plain JavaScript` },
    }
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
    if (loc === undefined) return TOO_DEEP
    const own = MESSAGES.find(([words]) => message.includes(words))?.[1]
    return { message: own ?? message.replace(/ \(\d+:\d+\)$/, ''), line: loc.line, column: loc.column + 1 }
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
        message: 'Only the types of TypeScript are supported, not JSX, `<Type>value`, parameter properties, enum or namespace',
        ...placeOf(code, node.pos),
      }
    })
    return fault === undefined ? { source: text.slice(HEAD.length, -3) } : { fault }
  } catch {
    return { fault: TOO_DEEP }
  }
}

/**
 * @param {string} code
 * @param {number} offset
 */
function placeOf(code, offset) {
  const at = Math.max(0, offset - HEAD.length)
  const skipped = BEFORE_NODE.exec(code.slice(at))?.[0].length ?? 0
  const before = code.slice(0, at + skipped).split('\n')
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
}
