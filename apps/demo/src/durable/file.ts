/** Runs in files: a journal for each in a folder, for the processes of one machine. */
import { createFileEngine } from '@x/durable'
import type { EngineOpener } from './engine-opener.ts'

export const fileOpener: EngineOpener = {
  open: ({ folder, fn }) => createFileEngine({ folder, fn, lookEveryMs: 100 }),
  wayOut: 'X_RUNS names another folder.',
}
