/** Handles patterns that may be slow. Proves that JavaScript's engine takes linear time, or uses RE2 instead. Loaded at first use. */
import type * as Re2 from 're2js'
import type * as RedosDetector from 'redos-detector'
import { macrotask } from '../../../macrotask.ts'
import { type CompiledPattern, compileLinear, type ReadPattern } from './linear-pattern.ts'
import { isProvable } from './provable-pattern.ts'

export interface PatternEngines {
  /**
   * Returns how often JavaScript's engine may visit each position of a string. Undefined if it can't be proven to be at most about ten
   * times.
   */
  readonly visitsOf: (expression: RegExp) => number | undefined
  /** False if no proof is possible. `visitsOf` must then not be called. */
  readonly isProvable: (expression: RegExp) => boolean
  /** Compiles a pattern for RE2. Throws `UnsupportedSyntax`. */
  readonly compile: (expression: RegExp) => CompiledPattern
}

/** Loads the engines synchronously, which works in Node. Returns undefined in a browser and in some bundles. */
export function loadEngines(): PatternEngines | undefined {
  try {
    const module = globalThis.process?.getBuiltinModule?.('node:module')
    const require = module?.createRequire(import.meta.url)
    return require && toEngines(require('redos-detector'), require('regjsparser'), require('re2js'))
  } catch {
    return undefined
  }
}

export async function importEngines(): Promise<PatternEngines> {
  const detector = await import('redos-detector')
  const parser: unknown = await import('regjsparser')
  return toEngines(detector, parser as Parser, await import('re2js'))
}

/** Limits of a proof. Common patterns stay far below them, and a proof that fails takes about 10 ms. */
const LIMITS = { maxScore: 10, maxSteps: 300, timeout: Infinity }

/**
 * Maximum number of proofs in one task. A proof dereferences WeakRefs, so up to 6 MB stay in memory until the task ends. Promises don't end
 * a task, so a thousand tools that are defined or first called in a row would fill the memory.
 */
const PROOFS_OF_A_TASK = 40
/** Number of steps of patterns that RE2 compiles in the time of a proof. */
const STEPS_OF_A_PROOF = 3_000
let proofs = 0

/** Counts work of the current task. Without this limit, a server that lists a thousand tools could block the process for minutes. */
function count(work: number): void {
  if (proofs === 0) void nextTask()
  proofs += work
}

/** True if the current task has run the maximum number of proofs, or compiled as long. Further patterns should then be postponed. */
export function madeManyProofs(): boolean {
  return proofs >= PROOFS_OF_A_TASK
}

/** Yields to the event loop. */
export async function nextTask(): Promise<void> {
  await macrotask()
  proofs = 0
}

interface Parser {
  readonly parse: ReadPattern
}

function toEngines(detector: typeof RedosDetector, parser: Parser, re2: typeof Re2): PatternEngines {
  const { isSafePattern } = exportsOf(detector)
  const { parse } = exportsOf(parser)
  const { RE2JS } = exportsOf(re2)
  return {
    visitsOf({ source, unicode }) {
      count(1)
      try {
        const { safe, score } = isSafePattern(source, { ...LIMITS, unicode })
        return safe && !score.infinite ? score.value : undefined
      } catch {
        // The detector doesn't support this syntax.
        return undefined
      }
    },
    isProvable: (expression) => isProvable(expression, parse),
    compile(expression) {
      const compiled = compileLinear(expression, parse, RE2JS)
      count(compiled.effort / STEPS_OF_A_PROOF)
      return compiled
    },
  }
}

/** Returns all exports of a CommonJS module. Node doesn't detect every named export, and a bundler may provide only the default export. */
export function exportsOf<T extends object>(module: T): T {
  return { ...module, ...(module as { readonly default?: object }).default }
}
