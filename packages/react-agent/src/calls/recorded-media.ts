/** Records the data of each image and file once per run. Later records refer to it by its digest. */
import type { Observation } from '@x/adapters'
import { type ContentPart, digestOf, type MediaSource, pointerSegment, segmentsOf, valueAt } from '@x/tool-core'
import type { CallData } from '../loop/outcome.ts'
import { directSteps, type Steps } from '../steps/steps.ts'

/** The source of an image or a file in a record. `digest` refers to data in another call's record. */
type RecordedSource = MediaSource | { readonly digest: string }

/** An outcome, or a call that is waiting for decisions about its inner calls, which has no observation. */
interface WithObservation {
  readonly observation?: Observation | undefined
  readonly data?: CallData | undefined
}

interface Waiting {
  resolve(data: string): void
  reject(cause: unknown): void
}

/**
 * The first record of an image contains its data. Later records contain only the digest, even if the first one belongs to a call in the
 * same turn. On replay, a call with a digest waits until the call with the data is replayed.
 */
export class RecordedMedia {
  readonly #steps: Steps
  /** Data of all records so far, by digest. */
  readonly #data = new Map<string, string>()
  /** Settles when all recorded data that was read so far is in `#data`. */
  #added: Promise<void> | undefined
  /** For each digest, settles when the first call with the data has been recorded or has failed. */
  readonly #recording = new Map<string, Promise<void>>()
  /** Replayed calls that are waiting for the data of another call, by digest. */
  readonly #waiting = new Map<string, Waiting[]>()
  /** Number of running calls, and number of those that are waiting for the data of another call. */
  #running = 0
  #blocked = 0

  /**
   * Starts another call of the group. Returns false if there is none. Needed in a replay if the limit of parallel calls was higher when the
   * run was recorded.
   */
  startNext: () => boolean = () => false

  constructor(steps: Steps) {
    this.#steps = steps
  }

  /** Runs a call as a step. Rejects with the error of `steps`, or if the data isn't in the journal. */
  async run<Outcome extends WithObservation>(key: string, execute: () => Promise<Outcome>): Promise<Outcome> {
    if (this.#steps === directSteps) return await execute()
    let end = () => {}
    const ended = new Promise<void>((resolve) => {
      end = resolve
    })
    this.#running++
    try {
      return await this.#read(await this.#steps.run(key, async () => await this.#toRecord(await execute(), ended)))
    } finally {
      end()
      this.#running--
      this.checkWaiting()
    }
  }

  /** Waits for calls that are recording the same data. `ended` resolves when this call is recorded. */
  async #toRecord<Outcome extends WithObservation>(outcome: Outcome, ended: Promise<void>): Promise<Outcome> {
    const digests = new Map<string, string>()
    for (const part of outcome.observation?.parts ?? [])
      if (part.type !== 'text' && 'base64' in part.source) digests.set(part.source.base64, await digestOf(part.source.base64))
    if (digests.size === 0) return outcome
    // All digests are registered before this call waits, so that no two calls wait for each other.
    const others: Promise<void>[] = []
    for (const digest of new Set(digests.values())) {
      const other = this.#recording.get(digest)
      if (other === undefined) this.#recording.set(digest, ended)
      else others.push(other)
    }
    if (others.length > 0) {
      this.#blocked++
      this.checkWaiting()
      await Promise.all(others)
      this.#blocked--
    }
    await this.#added
    const own = new Set<string>()
    return await withSources(withoutMedia(outcome, digests), async (source) => {
      const digest = 'base64' in source ? digests.get(source.base64) : undefined
      if (digest === undefined) return source
      if (this.#data.has(digest) || own.has(digest)) return { digest }
      own.add(digest)
      return source
    })
  }

  async #read<Outcome extends WithObservation>(recorded: Outcome): Promise<Outcome> {
    const outcome = await withSources(recorded, async (source) => {
      if ('digest' in source) return { base64: this.#data.get(source.digest) ?? (await this.#waitFor(source.digest)) }
      if ('base64' in source) {
        this.#added = this.#add(source.base64, this.#added)
        await this.#added
      }
      return source
    })
    return withMedia(outcome, this.#data)
  }

  async #add(data: string, before: Promise<void> | undefined): Promise<void> {
    await before
    const digest = await digestOf(data)
    this.#data.set(digest, data)
    const waiting = this.#waiting.get(digest) ?? []
    this.#waiting.delete(digest)
    this.#blocked -= waiting.length
    for (const { resolve } of waiting) resolve(data)
  }

  #waitFor(digest: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const waiting = this.#waiting.get(digest)
      if (waiting === undefined) this.#waiting.set(digest, [{ resolve, reject }])
      else waiting.push({ resolve, reject })
      this.#blocked++
      this.checkWaiting()
    })
  }

  /**
   * Called when a call ends or starts to wait. If all running calls are waiting, starts another one. If none is left to start, rejects the
   * waiting calls, because no call can provide their data.
   */
  checkWaiting(): void {
    if (this.#blocked === 0 || this.#blocked < this.#running || this.startNext()) return
    const lost = [...this.#waiting]
    this.#waiting.clear()
    for (const [, waiting] of lost) this.#blocked -= waiting.length
    for (const [digest, waiting] of lost)
      for (const { reject } of waiting) reject(new Error(`The journal has no image or file with the digest ${digest}.`))
  }
}

/** Returns the same outcome if it has no images or files. */
async function withSources<Outcome extends WithObservation>(
  outcome: Outcome,
  convert: (source: RecordedSource) => Promise<RecordedSource>,
): Promise<Outcome> {
  const parts = outcome.observation?.parts
  if (parts === undefined) return outcome
  const converted: ContentPart[] = []
  // Parts are handled one after the other, because a result may contain the same image twice.
  for (const part of parts)
    converted.push(part.type === 'text' ? part : ({ ...part, source: await convert(part.source) } as ContentPart))
  const observation = { ...outcome.observation, parts: converted }
  return { ...outcome, observation }
}

/**
 * Removes base64 from a call's output if the call also showed it to the model as an image or file, because tools often return it in both
 * places. `digests` maps base64 to digests.
 */
function withoutMedia<Outcome extends WithObservation>(outcome: Outcome, digests: ReadonlyMap<string, string>): Outcome {
  const media: Record<string, string> = {}
  const without = (value: unknown, path: string): unknown => {
    const digest = typeof value === 'string' ? digests.get(value) : undefined
    if (digest !== undefined) {
      media[path] = digest
      return null
    }
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return value.map((item, index) => without(item, `${path}/${index}`))
    const members: [string, unknown][] = []
    for (const [key, member] of Object.entries(value)) members.push([key, without(member, `${path}/${pointerSegment(key)}`)])
    return Object.fromEntries(members)
  }
  const output = without(outcome.data?.output, '')
  return Object.keys(media).length === 0 ? outcome : { ...outcome, data: { ...outcome.data, output, media } }
}

/** Replaces digests with the data that they refer to. */
function withMedia<Outcome extends WithObservation>(outcome: Outcome, data: ReadonlyMap<string, string>): Outcome {
  const { media, output, ...rest } = outcome.data ?? {}
  if (media === undefined) return outcome
  const root: Record<string, unknown> = { output: structuredClone(output) }
  for (const [pointer, digest] of Object.entries(media)) {
    const segments = ['output', ...segmentsOf(pointer)]
    const parent = valueAt(root, segments.slice(0, -1)) as Record<string, unknown>
    parent[segments.at(-1) as string] = data.get(digest)
  }
  return { ...outcome, data: { ...rest, output: root.output } }
}
