/** Opens the engine that the command line names. */
import { DurableError } from '@x/durable'
import type { EngineKind } from './engine-kinds.ts'
import type { EngineOpener, EngineSettings } from './engine-opener.ts'
import type { DemoEngine } from './run-data.ts'

/** Imported when it is needed. */
const OPENERS: Readonly<Record<EngineKind, () => Promise<EngineOpener>>> = {
  file: async () => (await import('./file.ts')).fileOpener,
  dbos: async () => (await import('./dbos.ts')).dbosOpener,
  restate: async () => (await import('./restate.ts')).restateOpener,
}

/** Rejects with `UsageError` for what is missing in the environment, and with `DurableError` when the engine cannot be used. */
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
