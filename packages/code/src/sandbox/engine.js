/** Loads the optional peer dependency QuickJS, and limits the memory of its WebAssembly module. */

/**
 * @typedef {object} Engine
 * @property {typeof import('quickjs-wasi').QuickJS} QuickJS
 * @property {Uint8Array} bytes the WebAssembly file
 * @property {{ readonly pages: number, readonly module: Promise<WebAssembly.Module> } | undefined} compiled
 * @property {Uint8Array | undefined} prelude the prelude as bytecode, compiled for the first program. Compiling it again for each program
 * would take a fifth of the start.
 */

/** Node's type definitions don't include `WebAssembly`. */
const { WebAssembly: assembly } = /** @type {{ WebAssembly: { compile(bytes: Uint8Array): Promise<WebAssembly.Module> } }} */ (
  /** @type {unknown} */ (globalThis)
)
const PAGE = 65_536
/** Memory that the engine needs in addition to the program's memory, in bytes. */
const OWN_BYTES = 4 * 1024 * 1024
const MEMORY_SECTION = 5
/** The first bytes of a WebAssembly file. */
const MAGIC = [0x00, 0x61, 0x73, 0x6d]

/** @type {Map<string | undefined, Promise<Engine>>} */
const engines = new Map()

/** Thrown if the package can't be imported or its WebAssembly file can't be read. */
export class EngineMissing extends Error {
  /** @override */
  name = 'EngineMissing'
}

/**
 * Returns the engine and its module, whose memory can't grow beyond the limit. Each WebAssembly file is loaded once.
 * @param {string | undefined} wasm URL of the WebAssembly file. Default: the file of the installed package.
 * @param {number} memoryBytes
 */
export async function loadEngine(wasm, memoryBytes) {
  const loading = engines.get(wasm) ?? importEngine(wasm)
  engines.set(wasm, loading)
  const engine = await loading.catch((cause) => {
    engines.delete(wasm)
    throw cause
  })
  const pages = Math.ceil((memoryBytes + OWN_BYTES) / PAGE)
  if (engine.compiled?.pages !== pages) engine.compiled = { pages, module: assembly.compile(withMaximum(engine.bytes, pages)) }
  return { engine, module: await engine.compiled.module }
}

/**
 * @param {string | undefined} wasm
 * @returns {Promise<Engine>}
 */
async function importEngine(wasm) {
  try {
    const { QuickJS } = await import('quickjs-wasi')
    return { QuickJS, bytes: await readWasm(wasm), compiled: undefined, prelude: undefined }
  } catch (cause) {
    throw new EngineMissing(String(cause), { cause })
  }
}

/** @param {string | undefined} wasm */
async function readWasm(wasm) {
  const bytes = wasm === undefined || wasm.startsWith('file:') ? await readFile(wasm) : await download(wasm)
  // Some servers reply to every address with a web page.
  if (!MAGIC.every((byte, index) => bytes[index] === byte)) throw new Error(`${wasm} isn't WebAssembly.`)
  return bytes
}

/** @param {string} url */
async function download(url) {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${url}: ${response.status}`)
  return new Uint8Array(await response.arrayBuffer())
}

/** @param {string | undefined} url */
async function readFile(url) {
  const [fs, { createRequire }] = await Promise.all([import('node:fs/promises'), import('node:module')])
  const file = url === undefined ? createRequire(import.meta.url).resolve('quickjs-wasi/quickjs.wasm') : new URL(url)
  return new Uint8Array(await fs.readFile(file))
}

/**
 * Returns the module with a maximum for its memory. The original declares no maximum, so an error in the engine's own memory accounting
 * could exhaust the memory of the process.
 * @param {Uint8Array} bytes
 * @param {number} pages
 */
export function withMaximum(bytes, pages) {
  for (let at = 8; at < bytes.length; ) {
    const id = bytes[at]
    const [size, start] = readNumber(bytes, at + 1)
    if (id === MEMORY_SECTION) {
      const [, limits] = readNumber(bytes, start)
      const [initial] = readNumber(bytes, limits + 1)
      const section = [1, 1, ...toNumber(initial), ...toNumber(Math.max(initial, pages))]
      const parts = [bytes.subarray(0, at), [id, ...toNumber(section.length), ...section], bytes.subarray(start + size)]
      const result = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
      let offset = 0
      for (const part of parts) {
        result.set(part, offset)
        offset += part.length
      }
      return result
    }
    at = start + size
  }
  throw new EngineMissing('The WebAssembly module has no memory of its own.')
}

/**
 * Reads an unsigned LEB128 number. Returns the number and the offset after it.
 * @param {Uint8Array} bytes
 * @param {number} at
 * @returns {[number, number]}
 */
function readNumber(bytes, at) {
  let value = 0
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[at++] ?? 0
    value += (byte & 127) * 2 ** shift
    if (byte < 128) return [value, at]
  }
}

/** @param {number} value */
function toNumber(value) {
  const bytes = []
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return [...bytes, rest]
    bytes.push((rest % 128) + 128)
  }
}
