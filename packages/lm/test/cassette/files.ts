/** Files of cassettes for tests. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LMDelta, LMRequest, LMResponse } from '@x/adapters'
import { onTestFinished } from 'vitest'

/** Returns the path of a file that doesn't exist yet, in a directory that is removed after the test. */
export function newFile(name = 'recording.json'): string {
  const folder = mkdtempSync(join(tmpdir(), 'cassette-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, name)
}

export interface WrittenCassette {
  readonly exchanges: readonly {
    readonly number: number
    readonly base?: object
    readonly request: LMRequest
    readonly response?: LMResponse
    readonly deltas?: readonly LMDelta[]
    readonly error?: object
    readonly left?: boolean
  }[]
}

export const readFile = (file: string): WrittenCassette => JSON.parse(readFileSync(file, 'utf8'))
