/** The `schemas` target: validates arguments against recursive and combined schemas. */
import { validate } from '@x/tool-core'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { type StartClock, startProcessorClock } from '../../start-clock.ts'
import type { Random } from '../random.ts'
import type { Checked, Execution, Fault, FuzzTarget } from '../target.ts'
import { type RandomSchema, randomArguments, randomSchema } from './random-schema.ts'

export type Validate = (schema: object, value: unknown) => Promise<readonly { readonly keyword: string }[]>

/** Guaranteed time limit: ten times the time for parsing the value as JSON, plus this many milliseconds. */
const MOST_MS = 100
/** Number of times that a slow check is tried, because the machine may have been busy. */
const TRIES = 3

export function defineSchemasTarget(check: Validate, startClock: StartClock = startProcessorClock): FuzzTarget {
  return {
    name: 'schemas',
    start(publish = () => {}) {
      const seen = new Set<string>()
      return {
        async execute(random: Random): Promise<Execution> {
          const [schema, value] = [randomSchema(random), randomArguments(random)]
          const text = JSON.stringify({ schema, value })
          publish(text)
          const { behaviour, fault } = await checkSchema(check, startClock, schema, value)
          seen.add(behaviour)
          return { text, behaviour, ...(fault && { fault }), minimize: () => text }
        },
        get behaviours() {
          return seen.size
        },
      }
    },
  }
}

export const schemasTarget = defineSchemasTarget(validate)

async function checkSchema(check: Validate, startClock: StartClock, schema: RandomSchema, value: object): Promise<Checked> {
  let issues: Awaited<ReturnType<Validate>>
  try {
    // The first use compiles the schema.
    issues = await check(schema, value)
  } catch (error) {
    return { behaviour: 'throws', fault: { check: 'answers', why: String(error) } }
  }
  const behaviour = [...new Set(issues.map(({ keyword }) => keyword))].sort().join(' ')
  const expected = isSmall(value) ? fitsWithAjv(schema, value) : undefined
  const isRefused = issues.some(({ keyword }) => keyword === 'too_complex' || keyword === 'depth')
  if (expected !== undefined && !isRefused && expected !== (issues.length === 0)) {
    const why = `AJV says ${expected}, we say ${JSON.stringify(issues)}`
    return { behaviour, fault: { check: 'agrees with AJV', why } }
  }
  return { behaviour, fault: await timeFault(check, startClock, schema, value) }
}

/** Returns true for a value that even AJV validates quickly. */
function isSmall(value: object): boolean {
  return JSON.stringify(value).length < 300 && depthOf(value) < 6
}

/** Returns undefined if AJV overflows the stack, because the schema is infinitely recursive. */
function fitsWithAjv(schema: RandomSchema, value: object): boolean | undefined {
  try {
    return new Ajv2020({ strict: false, ownProperties: true }).compile(schema)(value)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

async function timeFault(check: Validate, startClock: StartClock, schema: object, value: object): Promise<Fault | undefined> {
  const text = JSON.stringify(value)
  let why = ''
  for (let left = TRIES; left > 0; left--) {
    const parsing = startClock()
    JSON.parse(text)
    const most = 10 * parsing() + MOST_MS
    const checking = startClock()
    await check(schema, value)
    const took = checking()
    if (took <= most) return undefined
    why = `${Math.round(took)} ms, the limit is ${Math.round(most)} ms for ${text.length} characters`
  }
  return { check: 'takes at most the time of ten `JSON.parse` calls plus 100 ms', why }
}

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return 1 + Math.max(0, ...Object.values(value).map(depthOf))
}
