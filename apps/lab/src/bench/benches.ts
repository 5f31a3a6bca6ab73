/** The list of benches. Add a new one here. */
import { argumentsBench } from './arguments.ts'
import type { Bench } from './bench.ts'
import { dialects } from './dialects.ts'
import { durable } from './durable.ts'
import { loop } from './loop.ts'
import { registry } from './registry.ts'
import { validate } from './validate.ts'
import { wire } from './wire.ts'

export const BENCHES: readonly Bench[] = [loop, validate, registry, argumentsBench, wire, dialects, durable]
