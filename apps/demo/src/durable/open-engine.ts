/** Opens the engine named on the command line. */
import { DurableError } from '@x/durable'
import type { EngineKind, EngineOpener, EngineSettings } from './engine.ts'
import type { DemoEngine } from './run-data.ts'

/** Each engine is imported only when it is needed. */
const OPENERS: Readonly<Record<EngineKind, () => Promise<EngineOpener>>> = {
  file: async () => (await import('./file.ts')).fileOpener,
  dbos: async () => (await import('./dbos.ts')).dbosOpener,
  restate: async () => (await import('./restate.ts')).restateOpener,
}

/**
 * Opens the engine. Rejects with `UsageError` if an environment variable is missing, or with `DurableError` if the engine can't be used.
 */
export async function openEngine(kind: EngineKind, settings: EngineSettings): Promise<DemoEngine> {
  const { open, wayOut } = await OPENERS[kind]()
  try {
    return await open(settings)
  } catch (cause) {
    if (!(cause instanceof DurableError) || !UNREACHABLE.has(cause.code)) throw cause
    throw new DurableError(cause.code, `${cause.message.replace(/\.?$/, '.')} ${wayOut}`, { cause })
  }
}

const UNREACHABLE: ReadonlySet<string> = new Set(['engine_failed', 'cannot_open'])
