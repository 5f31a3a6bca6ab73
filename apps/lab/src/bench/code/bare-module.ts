/** QuickJS without our packages. Each program has a new instance of a precompiled module, with one host function. */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { type JSValueHandle, QuickJS } from 'quickjs-wasi'

/** Node's type definitions don't include `WebAssembly`. */
const { WebAssembly: assembly } = globalThis as unknown as {
  readonly WebAssembly: { compile(bytes: Uint8Array): Promise<WebAssembly.Module> }
}

/** Arguments and results are passed as JSON text. */
const PRELUDE =
  'globalThis.tools = { look: async (args) => JSON.parse(await call(JSON.stringify(args))) }; (program) => program().then((value) => done(JSON.stringify(value)), (error) => failed(String(error)))'

export class BareModule {
  readonly #module: WebAssembly.Module

  private constructor(module: WebAssembly.Module) {
    this.#module = module
  }

  static async load(): Promise<BareModule> {
    const bytes = await readFile(createRequire(import.meta.url).resolve('quickjs-wasi/quickjs.wasm'))
    return new BareModule(await assembly.compile(new Uint8Array(bytes)))
  }

  async run(program: string, call: (args: never) => Promise<unknown>): Promise<unknown> {
    const vm = await QuickJS.create({ wasm: this.#module })
    try {
      return await new Promise((resolve, reject) => {
        const define = (name: string, work: (text: string) => JSValueHandle) =>
          vm.setProp(
            vm.global,
            name,
            vm.newFunction(name, (...args) => work(args[0]?.toString() ?? '')),
          )
        define('done', (text) => {
          resolve(JSON.parse(text))
          return vm.undefined
        })
        define('failed', (text) => {
          reject(new Error(text))
          return vm.undefined
        })
        define('call', (text) => {
          const deferred = vm.newPromise()
          call(JSON.parse(text) as never).then((output) => {
            deferred.resolve(vm.newString(JSON.stringify(output)))
            vm.executePendingJobs()
          }, reject)
          return deferred.handle
        })
        const start = vm.evalCode(PRELUDE)
        vm.callFunction(start, vm.undefined, vm.evalCode(`(async () => { ${program}\n})`)).dispose()
        vm.executePendingJobs()
      })
    } finally {
      vm.dispose()
    }
  }
}
