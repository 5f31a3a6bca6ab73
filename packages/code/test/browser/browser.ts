/** Bundles the page, serves it, and opens it in Chromium. */
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const require = createRequire(import.meta.url)
const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) => existsSync(path))
/** Why tests that need a browser are skipped. Empty if Chromium is installed. */
export const CHROMIUM_MISSING = CHROMIUM === undefined ? 'Chromium is not installed' : ''

const FLAGS = [
  '--headless=new',
  // Chromium's own sandbox doesn't start for root.
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-sync',
  '--disable-background-networking',
  '--disable-component-update',
  '--no-first-run',
]
/** Ends a browser whose page sends nothing, in milliseconds. */
const MOST_OF_A_PAGE = 300_000
/** Neither the page nor its worker may evaluate text. */
const POLICY = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'"
const TYPES: Readonly<Record<string, string>> = { js: 'text/javascript', wasm: 'application/wasm' }

/** Opens the page, and resolves to what it sends. */
export async function openPage(): Promise<Record<string, unknown>> {
  const folder = mkdtempSync(join(tmpdir(), 'code-browser-'))
  const [profile, page] = [join(folder, 'profile'), join(folder, 'page')]
  await bundlePage(page)
  let send: (results: string) => void = () => {}
  const results = new Promise<string>((resolve) => {
    send = resolve
  })
  const server = createServer(async (request, response) => {
    const path = new URL(request.url ?? '', 'http://page').pathname
    if (request.method === 'POST') {
      send(Buffer.concat(await request.toArray()).toString())
      response.end()
      return
    }
    const body = await contentOf(page, path).catch(() => undefined)
    const type = TYPES[path.split('.').at(-1) ?? ''] ?? 'text/html'
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': type, 'content-security-policy': POLICY })
    response.end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/${process.env.X_FULL ? '?full' : ''}`
  const browser = spawn(CHROMIUM ?? '', [...FLAGS, `--user-data-dir=${profile}`, url], {
    stdio: 'ignore',
    timeout: MOST_OF_A_PAGE,
    // A group of its own, because Chromium's other processes write to the profile for a while after the first one was killed.
    detached: true,
  })
  const ended = new Promise((resolve) => browser.once('close', resolve))
  try {
    const died = ended.then(() => Promise.reject(new Error('Chromium ended before the page had sent its results.')))
    return JSON.parse(await Promise.race([results, died]))
  } finally {
    if (browser.pid !== undefined) killGroup(browser.pid)
    await ended
    server.closeAllConnections()
    server.close()
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // All of its processes have ended.
  }
}

async function contentOf(page: string, path: string): Promise<string | Uint8Array> {
  if (path === '/') return '<!doctype html><script type="module" src="/page.js"></script>'
  if (path === '/quickjs.wasm') return await readFile(require.resolve('quickjs-wasi/quickjs.wasm'))
  return await readFile(join(page, path))
}

/** The worker is an entry of its own, in the place where `thread.ts` looks for it. */
async function bundlePage(outdir: string): Promise<void> {
  const { build } = createRequire(require.resolve('vite/package.json'))('esbuild') as { build(options: object): Promise<unknown> }
  await build({
    entryPoints: {
      page: join(import.meta.dirname, 'page.ts'),
      'sandbox/worker': resolve(import.meta.dirname, '../../src/sandbox/worker.js'),
    },
    outdir,
    bundle: true,
    splitting: true,
    platform: 'browser',
    format: 'esm',
    target: 'es2022',
    conditions: ['@x/source'],
    external: ['node:*'],
    logLevel: 'silent',
  })
}
