/** What a pattern that may be slow needs: a proof that JavaScript's engine takes linear time, or another engine. Loaded at first use. */
import type * as Re2 from 're2js'
import type * as RedosDetector from 'redos-detector'
import { type CompiledPattern, compileLinear, type ReadPattern } from './linear-pattern.ts'
import { isProvable } from './provable-pattern.ts'

export interface PatternEngines {
  /** How often JavaScript's engine reads a place of a text, where that is proven to be some ten times at most. */
  readonly visitsOf: (expression: RegExp) => number | undefined
  /** False where no proof can be made: `visitsOf` isn't asked then. */
  readonly isProvable: (expression: RegExp) => boolean
  /** Throws `UnsupportedSyntax`. */
  readonly compile: (expression: RegExp) => CompiledPattern
}

/** At once where modules can be loaded synchronously, as in Node; `undefined` in a browser and in some bundles. */
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
  const parser = import('regjsparser') as Promise<unknown>
  return toEngines(...(await Promise.all([import('redos-detector'), parser as Promise<Parser>, import('re2js')])))
}

/** A proof of a usual pattern ends long before; without one, some 10 ms are over. */
const LIMITS = { maxScore: 10, maxSteps: 300, timeout: Infinity }

/**
 * A proof reads through WeakRefs, and JavaScript keeps what they gave until the running task ends, up to 6 MB for each proof. Promises
 * end no task: a thousand tools that are defined, or called for the first time, one after another would fill the memory.
 */
const PROOFS_OF_A_TASK = 40
let proofs = 0

/** True where the running task has made enough proofs: what isn't urgent waits. */
export function madeManyProofs(): boolean {
  return proofs >= PROOFS_OF_A_TASK
}

/** Goes on in another task, also under a test's fake timers. */
export async function nextTask(): Promise<void> {
  const { port1, port2 } = new MessageChannel()
  await new Promise((resolve) => {
    Object.assign(port1, { onmessage: resolve })
    port2.postMessage(undefined)
  })
  port1.close()
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
      if (proofs++ === 0) void nextTask()
      try {
        const { safe, score } = isSafePattern(source, { ...LIMITS, unicode })
        return safe && !score.infinite ? score.value : undefined
      } catch {
        // It does not know this syntax.
        return undefined
      }
    },
    isProvable: (expression) => isProvable(expression, parse),
    compile: (expression) => compileLinear(expression, parse, RE2JS),
  }
}

/** All that a CommonJS module exports: Node doesn't find every name, and a bundler may give it as default only. */
export function exportsOf<T extends object>(module: T): T {
  return { ...module, ...(module as { readonly default?: object }).default }
}
