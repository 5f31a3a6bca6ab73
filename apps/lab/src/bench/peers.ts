/** Installs the peers, a separate project next to the workspace, when a bench first needs them. */
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const PNPM = 'pnpm@12.21.0'

/** Installs the peers if needed. Rejects if the installation fails. The installer's output goes to stderr. */
export async function installPeers(folder: string, log: (line: string) => void): Promise<void> {
  const lockfile = readFileSync(join(folder, 'pnpm-lock.yaml'), 'utf8')
  const stamp = join(folder, 'node_modules/.installed')
  if (existsSync(peersNode(folder)) && existsSync(stamp) && readFileSync(stamp, 'utf8') === lockfile) return
  log('Installing the peers and their Node: 500 MB, once')
  const code = await pnpmInstall(folder)
  if (code !== 0) throw new Error(`The peers could not be installed (exit code ${code}). Is there a network?`)
  writeFileSync(stamp, lockfile)
}

/**
 * Returns the path of the Node that runs all subjects. Two peers need version 22 or newer, and all subjects must run on the same version.
 */
export function peersNode(folder: string): string {
  return join(folder, 'node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node')
}

/** Returns the version of each package: of peers as installed, and of others as the lab resolves them. */
export function versionsOf(packages: Iterable<string>, folders: readonly string[]): Record<string, string> {
  return Object.fromEntries([...new Set(packages)].map((name) => [name, versionOf(name, folders)]))
}

function versionOf(name: string, folders: readonly string[]): string {
  const file = folders.map((folder) => join(folder, 'node_modules', name, 'package.json')).find((path) => existsSync(path))
  return file === undefined ? 'unknown' : (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
}

/** Runs pnpm through npx, which comes with Node. Prefers the npx beside the running Node. */
function pnpmInstall(folder: string): Promise<number> {
  const args = ['-y', PNPM, 'install', '--frozen-lockfile']
  const npx = join(dirname(process.execPath), '../lib/node_modules/npm/bin/npx-cli.js')
  const isThere = existsSync(npx)
  return new Promise((settle) => {
    const child = spawn(isThere ? process.execPath : 'npx', isThere ? [npx, ...args] : args, {
      cwd: folder,
      stdio: ['ignore', 2, 2],
      shell: process.platform === 'win32' && !isThere,
    })
    const stop = () => child.kill()
    process.on('exit', stop)
    const end = (code: number | null) => {
      process.off('exit', stop)
      settle(code ?? 1)
    }
    child.on('error', () => end(1))
    child.on('close', end)
  })
}
