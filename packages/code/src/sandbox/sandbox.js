/** Runs one program in its own instance of QuickJS. The instance is discarded with the program. */
import { loadEngine } from './engine.js'
import { PRELUDE } from './prelude.js'
import { readProgram, TOO_DEEP } from './read-program.js'

/**
 * @import { QuickJS, JSValueHandle } from 'quickjs-wasi'
 * @import { Engine } from './engine.js'
 * @import { SandboxOptions, ProgramEnd } from './protocol.ts'
 * @typedef {Record<'start' | 'receive' | 'track' | 'take', JSValueHandle>} Entries
 */

const FILE = 'program.js'
const HEAD = "(async()=>{'use strict';"
/** Maximum length of the name and arguments of a call, in characters. */
const MAX_ARGS = 1_000_000
/** Maximum number of names in a list of calls. */
const MAX_NAMES = 10
/**
 * Maximum size of the call stack in browsers. In Chromium, the stack of a worker overflows when a program uses between 128 and 160 KiB,
 * and the program can't catch that error.
 */
const BROWSER_STACK = 96 * 1024
/** Memory of an instance that isn't counted as the program's: at least the engine's stack, in bytes. */
const ENGINE_BYTES = 1024 * 1024
/**
 * Without memory for an error object, the engine throws null. A function such as Promise.all rejects its promise with it, or never settles
 * it.
 */
const UNEXPLAINED = /^"end":\{"cause":"(?:waits"|thrown","message":"null")/
const isBrowser = globalThis.process?.versions?.node === undefined

/**
 * Reads the program, and runs it until it ends or waits for a result.
 * @param {string} code
 * @param {SandboxOptions} options
 * @param {() => void} onReady called when the engine is loaded and the program is about to start
 * @returns {Promise<{ readonly sandbox?: Sandbox | undefined, readonly report: string }>} the report as JSON
 */
export async function startProgram(code, options, onReady = () => {}) {
  const { limits, wasm } = options
  const program = await readProgram(code)
  if (program.fault !== undefined) return { report: ended({ cause: 'syntax', ...program.fault }) }
  const { engine, module } = await loadEngine(wasm, limits.memoryBytes)
  const sandbox = new Sandbox(options)
  await sandbox.open(engine, module)
  onReady()
  return { sandbox, report: sandbox.start(program.source) }
}

export class Sandbox {
  /** @type {SandboxOptions} */
  #options
  /** @type {QuickJS | undefined} */
  #vm
  /** @type {Entries | undefined} */
  #entries
  /** @type {{ readonly buffer: ArrayBuffer } | undefined} */
  #memory
  #isInterrupted = false
  #usedMs = 0
  #deadline = Number.POSITIVE_INFINITY

  /** @param {SandboxOptions} options */
  constructor(options) {
    this.#options = options
  }

  /**
   * @param {Engine} engine
   * @param {WebAssembly.Module} module
   */
  async open(engine, module) {
    const { now, seed, limits } = this.#options
    const nanoseconds = BigInt(Math.trunc(now)) * 1_000_000n
    const vm = await engine.QuickJS.create({
      wasm: module,
      memoryLimit: limits.memoryBytes,
      maxStackSize: isBrowser ? Math.min(limits.stackBytes, BROWSER_STACK) : limits.stackBytes,
      timezoneOffset: 0,
      interruptHandler: () => {
        if (performance.now() > this.#deadline) this.#isInterrupted = true
        return this.#isInterrupted
      },
      onUnhandledRejection: this.#track.bind(this),
      // The clock doesn't advance. When an instance is created, QuickJS also reads the seed of Math.random from the clock.
      wasi: (/** @type {{ readonly buffer: ArrayBuffer }} */ memory) => {
        let isSeeded = false
        this.#memory = memory
        return {
          clock_time_get: (/** @type {number} */ _clock, /** @type {bigint} */ _precision, /** @type {number} */ pointer) => {
            new DataView(memory.buffer).setBigUint64(pointer, isSeeded ? nanoseconds : BigInt(seed) * 1_000n, true)
            isSeeded = true
            return 0
          },
          random_get: (/** @type {number} */ pointer, /** @type {number} */ length) => {
            new Uint8Array(memory.buffer, pointer, length).fill(seed % 256)
            return 0
          },
          fd_write: () => 8,
        }
      },
    })
    this.#vm = vm
    const { calls: maxCalls, outputLength: maxOutput, logLength: maxLog } = limits
    const config = vm.newString(JSON.stringify({ maxCalls, maxOutput, maxLog, maxArgs: MAX_ARGS, maxNames: MAX_NAMES }))
    engine.prelude ??= vm.compile(PRELUDE, 'host.js')
    const entries = vm.callFunction(vm.evalBytecode(engine.prelude), vm.undefined, config)
    const entry = (/** @type {keyof Entries} */ name) => entries.getProp(name)
    this.#entries = { start: entry('start'), receive: entry('receive'), track: entry('track'), take: entry('take') }
  }

  /**
   * @param {string} source
   * @returns {string} the report as JSON
   */
  start(source) {
    return this.#run((vm, { start }) => {
      // Strict mode. The wrapper is on the first line of the program, so that line numbers in errors are correct.
      const program = this.#compile(vm, `${HEAD}${source}\n})`)
      vm.callFunction(start, vm.undefined, program).dispose()
      vm.executePendingJobs()
      return 0
    })
  }

  /**
   * Throws a `SyntaxError` if compiling the program exhausts the stack.
   * @param {QuickJS} vm
   * @param {string} source
   */
  #compile(vm, source) {
    try {
      return vm.evalCode(source, FILE)
    } catch (cause) {
      if (/** @type {Error} */ (cause).name === 'RangeError') throw new SyntaxError(TOO_DEEP.message)
      throw cause
    }
  }

  /**
   * Passes results to the program one by one, until it makes calls or ends.
   * @param {readonly string[]} results the JSON of `[n, isOk, value]`
   * @returns {string} the report as JSON
   */
  receive(results) {
    return this.#run((vm, { receive }) => {
      let received = 0
      for (const result of results) {
        const text = vm.newString(result)
        const isReceived = vm.callFunction(receive, vm.undefined, text)
        const canContinue = isReceived.toBoolean()
        text.dispose()
        isReceived.dispose()
        if (!canContinue) break
        received++
        vm.executePendingJobs()
      }
      return received
    })
  }

  /**
   * Records a rejection that nothing handles. An overflow of the caller's stack must end the program; other errors, such as a full memory,
   * concern only the note about the rejection.
   * @param {JSValueHandle} promise
   * @param {JSValueHandle} reason
   * @param {boolean} isHandled
   */
  #track(promise, reason, isHandled) {
    const [vm, entries] = [this.#vm, this.#entries]
    if (vm === undefined || entries === undefined) return
    try {
      vm.callFunction(entries.track, vm.undefined, promise, reason, isHandled ? vm.true : vm.false).dispose()
    } catch (cause) {
      if (cause instanceof RangeError) throw cause
    }
  }

  close() {
    this.#vm?.dispose()
    this.#vm = undefined
  }

  /**
   * Runs the work, and returns what the program did.
   * @param {(vm: QuickJS, entries: Entries) => number} work returns the number of results that the program has received
   * @returns {string}
   */
  #run(work) {
    const [vm, entries] = [this.#vm, this.#entries]
    if (vm === undefined || entries === undefined) return ended({ cause: 'crash' })
    const started = performance.now()
    this.#deadline = started + Math.max(0, this.#options.limits.timeMs - this.#usedMs)
    try {
      const received = work(vm, entries)
      this.#usedMs += performance.now() - started
      // The executor of a promise can swallow the interrupt, and short pieces of a program are never interrupted.
      if (this.#isInterrupted || this.#usedMs > this.#options.limits.timeMs) return this.#over({ cause: 'time' })
      this.#deadline = Number.POSITIVE_INFINITY
      const taken = vm.callFunction(entries.take, vm.undefined)
      const report = taken.toString()
      taken.dispose()
      if (UNEXPLAINED.test(report) && this.#isFull()) return this.#over({ cause: 'memory' })
      if (report.startsWith('"end"')) this.close()
      return `{"received":${received},${report}`
    } catch (cause) {
      return this.#over(this.#endOf(cause))
    }
  }

  /** Returns true if the program has used all of its memory at some time. The memory of an instance never shrinks. */
  #isFull() {
    return (this.#memory?.buffer.byteLength ?? 0) >= this.#options.limits.memoryBytes + ENGINE_BYTES
  }

  /** @param {ProgramEnd} end */
  #over(end) {
    this.close()
    return ended(end)
  }

  /**
   * @param {unknown} cause
   * @returns {ProgramEnd}
   */
  #endOf(cause) {
    if (this.#isInterrupted) return { cause: 'time' }
    const { name, message = '', stack = '' } = /** @type {{ name?: string, message?: string, stack?: string }} */ (cause)
    // The stack of the caller's thread overflowed before the program reached its own limit. The program can't catch that. The engine's
    // own errors aren't instances of this class.
    if (cause instanceof RangeError) return { cause: 'thrown', message }
    // A program can't catch these two errors.
    if (message === 'out of memory' || message === 'string too long') return { cause: 'memory' }
    // Code that acorn accepts and the engine rejects, such as `with` in strict mode.
    if (name === 'SyntaxError') return { cause: 'syntax', message: message.slice(0, 500), ...placeIn(stack) }
    return { cause: 'crash' }
  }
}

/** @param {string} stack of an error that the engine found in the source */
function placeIn(stack) {
  const [, line, column] = /program\.js:(\d+):(\d+)/.exec(stack) ?? []
  return line === undefined ? {} : { line: Number(line), column: Number(column) - (line === '1' ? HEAD.length : 0) }
}

/** @param {ProgramEnd} end */
function ended(end) {
  return JSON.stringify({ received: 0, calls: [], end })
}
